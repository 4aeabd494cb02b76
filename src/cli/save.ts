import type { Sandbox } from '../client/client.ts'
import type { FixtureDocument } from '../fixture/format.ts'
import { toFixture } from '../fixture/save.ts'
import { fixtureToState } from '../fixture/state.ts'
import { messageOf } from '../world/domain-error.ts'
import { plural } from '../world/plural.ts'
import type { State } from '../world/state.ts'
import { createCommand, type OptionSpecs, type Values } from './command.ts'
import { invalid, writeOutput } from './option-values.ts'
import { REMOTE_OPTIONS, withSandbox } from './remote.ts'

const OPTIONS = {
  fixture: { value: 'FILE', help: 'where to write the fixture, such as mine.json' },
  ...REMOTE_OPTIONS,
  json: { short: 'j', help: 'print a summary as JSON' },
} as const satisfies OptionSpecs

interface Saving {
  sandbox: Sandbox
  values: Values<typeof OPTIONS>
}

export const save = createCommand({
  usage: 'save --fixture FILE [options]',
  about: 'save the current world as a fixture',
  options: OPTIONS,
  async act({ values }) {
    const { fixture: file } = values
    if (file === undefined) throw invalid('--fixture', 'save needs --fixture FILE.')
    await withSandbox(values, (sandbox) => saveFixture(file, { sandbox, values }))
  },
})

async function saveFixture(file: string, { sandbox, values }: Saving) {
  const state = await sandbox.control<State>('GET', '/state')
  const fixture = toFixture(state)
  const changed = countChanged(state, startFrom(fixture, state))
  writeOutput('--fixture', file, `${JSON.stringify(fixture, null, 2)}\n`)
  const { users = [], transactions = [] } = fixture
  const counts = { users: users.length, transactions: transactions.length, changed }
  if (values.json) return say(JSON.stringify({ fixture: file, ...counts }))
  const other =
    changed > 0 ? `; of the transactions, ${changed} will have a different amount or status` : ''
  say(
    `${file}: ${plural(users.length, 'user')}, ${plural(transactions.length, 'transaction')}${other}`,
  )
}

/** The world that starts from a fixture; throws if none can. */
function startFrom(
  { integrators = [], ...rest }: FixtureDocument,
  { seed, now, mode }: State,
): State {
  // Which destinations a sandbox allows is an option of its start.
  const silent = integrators.map(({ webhook: _, legacyWebhooks: __, ...integrator }) => integrator)
  try {
    return fixtureToState({ name: 'saved', ...rest, integrators: silent }, { seed, now, mode })
  } catch (error) {
    throw invalid('--fixture', `This world cannot be saved as a fixture: ${messageOf(error)}`)
  }
}

/** Counts the transactions that a fixture prices anew, or whose status it cannot hold. */
function countChanged({ transactions }: State, started: State): number {
  const others = new Map(started.transactions.map((row) => [row.id, row]))
  return transactions.filter((row) => {
    const { leftSide, rightSide, status } = others.get(row.id) ?? {}
    return leftSide !== row.leftSide || rightSide !== row.rightSide || status !== row.status
  }).length
}

const say = (text: string) => void process.stdout.write(`${text}\n`)
