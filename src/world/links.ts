import { hex } from './random.ts'
import type { World } from './world.ts'

/** Last part of the path of a bank page; ids alone are no secret where others know the seed. */
export function toBankLink(world: World, transactionId: string): string {
  if (world.secret === '') return transactionId
  return `${transactionId}.${hex(world.secretRandom('bank-link', transactionId, 1), 32)}`
}

/** The transaction of a bank link, and whether the link is more than the id that others may know. */
export function readBankLink(world: World, link: string): { id: string; isWhole: boolean } {
  const [id = ''] = link.split('.')
  return { id, isWhole: toBankLink(world, id) === link }
}
