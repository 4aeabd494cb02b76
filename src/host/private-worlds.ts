import { randomBytes } from 'node:crypto'
import { DomainError } from '../world/domain-error.ts'

/** A world that only those know who have its URL; without a call for `ttlMs` it ends. */
export interface PrivateWorld {
  readonly ttlMs: number
  /** Wall time. */
  endsAt: number
  /** The private world at whose URL it was forked, and with which it ends. */
  readonly owner: string | undefined
}

/** Forks of one private world that live at once, of those made by its URL alone. */
export const FORKS_MAX = 20

const INSTANCE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,30}$/
const PRIVATE_NAME = /^([A-Za-z0-9][A-Za-z0-9._-]{0,30}-)?[0-9a-f]{32}$/

/** 128 random bits, behind the name by which a proxy finds this process. */
export function newPrivateName(instance: string | undefined): string {
  const bits = randomBytes(16).toString('hex')
  return instance === undefined ? bits : `${instance}-${bits}`
}

/** Whether a name looks like one of these: no call makes such a world again once it has ended. */
export const isPrivateName = (name: string): boolean => PRIVATE_NAME.test(name)

export function assertInstance(instance: string | undefined): void {
  if (instance === undefined || INSTANCE.test(instance)) return
  const message = `--instance takes 1 to 31 letters, digits, dots, dashes and underscores, not ${instance}.`
  throw new DomainError('invalid', message, { field: '--instance' })
}
