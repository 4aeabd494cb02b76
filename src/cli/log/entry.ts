import type { CallRecord } from '../../engine/request-journal.ts'
import type { Action } from '../../engine/timeline.ts'
import type { Services } from '../../http/services.ts'
import type { Delivery } from '../../webhooks/delivery.ts'
import type { Message } from '../../world/state.ts'

export const LOG_LEVELS = ['all', 'errors', 'off'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export type LogSubject =
  | { kind: 'request'; row: CallRecord }
  | { kind: 'delivery'; row: Delivery }
  | { kind: 'message'; row: Message }
  | { kind: 'action'; row: Action }
  | { kind: 'clock'; row: { now: number; mode: string } }
  | { kind: 'reset'; row: { fixture: string } }
  | { kind: 'v1' | 'chain'; row: { sentence: string } }

export interface LogEntry {
  /** Wall time, because a frozen clock would give every line the same. */
  at: number
  services: Services
  subject: LogSubject
}

const HARMLESS: readonly string[] = ['pending', 'delivered', 'suppressed']

/** Whether somebody has to look at it: a rejected call, a webhook that was not acknowledged. */
export function isError({ kind, row }: LogSubject): boolean {
  if (kind === 'request') return row.status >= 400 || row.status === 0
  if (kind === 'delivery') return !HARMLESS.includes(row.outcome)
  return kind === 'v1' || kind === 'chain' || (kind === 'action' && row.problem !== null)
}

/** Path and query of a call, below its world. */
export function pathOf(url: string): string {
  const path = url.slice(url.indexOf('/', url.indexOf('://') + 3))
  return path.replace(/^\/w\/[^/?]*/, '') || '/'
}

/** Whom a call was about: the user of its token or path, or the e-mail address in its body. */
export function emailOf({ world }: Services, record: CallRecord): string | null {
  const user = world.usersById.get(record.userId ?? '')
  if (user) return user.email
  const { email } = toFields(record.body)
  return typeof email === 'string' ? email : null
}

export function toFields(body: unknown): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}
