import { readFileSync } from 'node:fs'
import type { Advanced, ClockState, KycChanged } from '../client/types.ts'
import { DomainError } from '../world/domain-error.ts'
import { parseInstant } from '../world/duration.ts'
import type { Command } from './command.ts'
import { formatAdvanced, formatClock, formatMoved, withHappened } from './control-format.ts'
import { journals } from './control-journals.ts'
import { createRemote, post, type RemoteCall } from './remote.ts'

const clock = createRemote({
  name: 'clock',
  about:
    'clock                     say what time it is in the world, and what falls due\n' +
    'clock advance 1h          move it forward by a length, to an instant, or to what is `next` due\n' +
    'clock freeze [INSTANT]    stop it\n' +
    'clock resume              let it follow the wall clock',
  words: ['[show|advance|freeze|resume]', '[LENGTH|INSTANT|next]'],
  call: ({ words: [action = 'show', when] }) => toClockCall(action, when),
  format: (answer: ClockState | Advanced) =>
    'mode' in answer ? formatClock(answer) : formatAdvanced(answer),
})

function toClockCall(action: string, when: string | undefined): RemoteCall {
  if (action === 'show' && when === undefined) return { method: 'GET', path: '/clock' }
  if (action === 'advance' && when !== undefined) return post('/clock/advance', toTarget(when))
  if (action === 'freeze') return post('/clock/freeze', when === undefined ? {} : { at: when })
  if (action === 'resume' && when === undefined) return post('/clock/resume')
  const hint = 'ramp-sandbox clock --help shows what it takes.'
  const message =
    action === 'advance'
      ? 'clock advance needs a length such as 1h, an instant, or next.'
      : `clock does not take ${[action, when].filter(Boolean).join(' ')}.`
  throw new DomainError('invalid', 'clock', message, { hint })
}

function toTarget(when: string) {
  if (when === 'next') return { toNext: true }
  return parseInstant(when) === undefined ? { by: when } : { to: when }
}

const kyc = createRemote({
  name: 'kyc',
  about: 'Lets a reviewer decide about a user, who is named by e-mail address or id.',
  words: ['EMAIL', 'STATUS'],
  options: {
    reason: { value: 'TEXT', many: true, help: 'why, among the requirements' },
    after: { value: 'LENGTH', help: 'decide only then, in world time' },
  },
  call: ({ words: [user = '', status], values: { reason, after } }) =>
    post(`/simulate/users/${encodeURIComponent(user)}/kyc`, {
      status,
      ...(reason.length > 0 && { reasons: reason }),
      ...(after !== undefined && { after }),
    }),
  format: ({ userId, from, to, due, ...happened }: KycChanged) =>
    due ? `${userId}: ${to} at ${due}` : withHappened(`${userId}: ${from} → ${to}`, happened),
})

function createMove(name: string, about: string): Command {
  return createRemote({
    name,
    about,
    words: ['ID'],
    call: ({ words: [id = ''] }) => post(`${toTransaction(id)}/${name}`),
    format: formatMoved,
  })
}

const settled = createRemote({
  name: 'settled',
  about: 'The money is finished: a transaction becomes complete.',
  words: ['ID'],
  options: {
    through: { help: 'receive the funds first, where that is still to come' },
    'payment-id': { value: 'HASH', help: 'the hash on the chain; derived by default' },
  },
  call: ({ words: [id = ''], values }) =>
    post(`${toTransaction(id)}/settled`, {
      ...(values.through && { through: true }),
      ...(values['payment-id'] && { paymentId: values['payment-id'] }),
    }),
  format: formatMoved,
})

const reset = createRemote({
  name: 'reset',
  about: 'Goes back to the state after the start, or to another fixture, seed or clock.',
  options: {
    fixture: { value: 'NAME|FILE', help: 'another starting world' },
    seed: { value: 'SEED', help: 'another text that all ids derive from' },
    clock: { value: 'CLOCK', help: 'running, frozen, an instant or running@INSTANT' },
    keep: { value: 'webhooks|clock', many: true, help: 'what stays as it is' },
  },
  call: ({ values: { fixture, seed, clock, keep } }) =>
    post('/reset', {
      ...(fixture !== undefined && { fixture: readFixture(fixture) }),
      ...(seed !== undefined && { seed }),
      ...(clock !== undefined && { clock }),
      ...(keep.length > 0 && { keep }),
    }),
  format: (world: { world: string; seed: string; fixture: string; now: string; mode: string }) =>
    `${world.world}: fixture ${world.fixture}, seed ${world.seed}, ${world.now}, ${world.mode}`,
})

/** A file is one of here, and the sandbox may run elsewhere. */
function readFixture(source: string): string | object {
  if (!/\.json$|[\\/]/.test(source)) return source
  try {
    return JSON.parse(readFileSync(source, 'utf8'))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new DomainError('invalid', '--fixture', `The fixture ${source} cannot be read: ${why}.`)
  }
}

const toTransaction = (id: string) => `/simulate/transactions/${encodeURIComponent(id)}`

const moves = {
  'funds-received': createMove(
    'funds-received',
    'The e-transfer of a buy was approved, or the coins of a sell arrived.',
  ),
  'bank-refused': createMove('bank-refused', 'The bank of the user refused to pay a buy.'),
  expired: createMove('expired', 'The window of a pending transaction ran out.'),
  cancelled: createMove('cancelled', 'The user withdrew from a pending transaction.'),
}

/** What drives a sandbox that runs, by the name of the command. */
export const control = { clock, kyc, ...moves, settled, reset, ...journals }
