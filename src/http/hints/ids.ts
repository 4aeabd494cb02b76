import type { Problem } from '../../world/domain-error.ts'
import type { Transaction } from '../../world/state.ts'
import type { Asked, Repair } from './asked.ts'

/** Transactions that are looked through for another of their names. */
const SEARCHED_MAX = 1_000

/** Something else than the id of a user or of a transaction. */
export function repairId({ field }: Problem, asked: Asked): Repair | undefined {
  if (field !== 'userId' && field !== 'txId') return undefined
  const { c } = asked
  const sent = c.req.param(field) ?? c.req.query(field) ?? c.req.query('tx_id') ?? ''
  if (/^[:{]|[{}]$|^(undefined|null|\[object Object\]|NaN)$/.test(sent)) {
    return { hint: `The id in the path is ${sent}: nothing was put in its place.` }
  }
  return field === 'userId' ? repairUserId(asked, sent) : repairTxId(asked, sent)
}

function repairUserId(asked: Asked, sent: string): Repair | undefined {
  const { world } = asked.c.env.services
  const isOwn = (integrators: readonly string[] = []) =>
    integrators.includes(asked.record.integrator ?? '')
  if (sent.includes('@')) {
    const user = world.usersByEmail.get(sent.toLowerCase())
    const hint = 'That is an e-mail address; GET /v2/users?email=… finds the id.'
    return isOwn(user?.integrators) && user ? { hint, nearest: user.id } : { hint }
  }
  const user = world.usersById.get(sent.trim().toLowerCase())
  if (user && user.id !== sent && isOwn(user.integrators)) {
    return { hint: 'Ids are in lower case, without blanks.', nearest: user.id }
  }
  const transaction = world.transactionsById.get(sent)
  if (transaction?.integrator !== asked.record.integrator || !transaction) return undefined
  return { hint: 'That is the id of a transaction.', nearest: transaction.userId }
}

function repairTxId(asked: Asked, sent: string): Repair | undefined {
  const { world } = asked.c.env.services
  const exact = world.transactionsById.get(sent.trim().toLowerCase())
  if (exact && exact.id !== sent && exact.integrator === asked.record.integrator) {
    return { hint: 'Ids are in lower case, without blanks.', nearest: exact.id }
  }
  const recent = world.transactions.slice(-SEARCHED_MAX)
  const own = recent.filter(({ integrator }) => integrator === asked.record.integrator)
  for (const [name, isNamed] of OTHER_NAMES) {
    const found = own.find((transaction) => isNamed(transaction, sent))
    if (found) return { hint: `That is the ${name} of a transaction.`, nearest: found.id }
  }
  return undefined
}

type IsNamed = (transaction: Transaction, sent: string) => boolean
const OTHER_NAMES: readonly [name: string, isNamed: IsNamed][] = [
  ['rmtId', ({ rmtId }, sent) => rmtId === sent],
  ['quoteId', ({ quoteId }, sent) => String(quoteId) === sent],
  ['externalSessionId', ({ externalSessionId }, sent) => externalSessionId === sent],
  ['paymentId', ({ paymentId }, sent) => paymentId === sent],
  ['depositAddress', ({ depositAddress }, sent) => depositAddress === sent],
]
