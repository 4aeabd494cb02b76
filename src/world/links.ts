import { hex } from './random.ts'
import type { World } from './world.ts'

/**
 * Last part of the path of a bank page; an id alone can be derived by anyone who knows the seed.
 */
export function toBankLink(world: World, transactionId: string): string {
  if (world.secret === '') return transactionId
  return `${transactionId}.${hex(world.secretRandom('bank-link', transactionId, 1), 32)}`
}

/** The transaction of a bank link, and whether the link also holds the secret part. */
export function readBankLink(world: World, link: string): { id: string; isWhole: boolean } {
  const [id = ''] = link.split('.')
  return { id, isWhole: toBankLink(world, id) === link }
}
