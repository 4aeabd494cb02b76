import { Refusal } from '../world/errors.ts'
import type { State } from '../world/state.ts'

/** Refuses a state in which something is there twice, or points at what is not there. */
export function refuseLooseEnds(state: State) {
  const integrators = unique(
    'integrators',
    'name',
    state.integrators.map(({ name }) => name),
  )
  unique(
    'integrators',
    'apiKey',
    state.integrators.map(({ apiKey }) => apiKey),
  )
  const users = unique(
    'users',
    'id',
    state.users.map(({ id }) => id),
  )
  unique(
    'users',
    'email',
    state.users.map(({ email }) => email.toLowerCase()),
  )
  const transactions = unique(
    'transactions',
    'id',
    state.transactions.map(({ id }) => id),
  )
  state.users.forEach((user, i) => {
    for (const name of user.integrators) refuseMissing(integrators, name, `users.${i}.integrators`)
  })
  state.transactions.forEach((transaction, i) => {
    refuseMissing(users, transaction.userId, `transactions.${i}.userId`)
    refuseMissing(integrators, transaction.integrator, `transactions.${i}.integrator`)
  })
  state.tasks.forEach(({ kind, ref }, i) => {
    const known = kind === 'change-kyc-status' ? users : transactions
    refuseMissing(known, ref, `tasks.${i}.ref`)
  })
}

function unique(list: string, field: string, values: string[]): Set<string> {
  const seen = new Set<string>()
  values.forEach((value, i) => {
    if (seen.has(value)) {
      const path = `${list}.${i}.${field}`
      throw new Refusal('invalid', path, `${path}: ${value} is there twice.`)
    }
    seen.add(value)
  })
  return seen
}

function refuseMissing(known: Set<string>, ref: string, path: string) {
  if (!known.has(ref)) throw new Refusal('invalid', path, `${path}: there is no ${ref}.`)
}
