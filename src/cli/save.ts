import type { Sandbox } from '../client/client.ts'
import type { FixtureDocument } from '../fixture/format.ts'
import { toFixture } from '../fixture/save.ts'
import { fixtureToState } from '../fixture/state.ts'
import { findObstacle, writeScenario } from '../scenario/save.ts'
import { isCall, readSession } from '../scenario/session.ts'
import { DomainError, messageOf } from '../world/domain-error.ts'
import type { State } from '../world/state.ts'
import { createCommand, type OptionSpecs, type Values } from './command.ts'
import { invalid, writeOutput } from './option-values.ts'
import { REMOTE_OPTIONS, withSandbox } from './remote.ts'

const OPTIONS = {
  scenario: { value: 'FILE', help: 'where to write the scenario, such as mine.mjs' },
  fixture: { value: 'FILE', help: 'where to write the fixture, such as mine.json' },
  title: { value: 'TEXT', help: 'what happens, in one line' },
  ...REMOTE_OPTIONS,
  json: { short: 'j', help: 'print a line of JSON for each file' },
} as const satisfies OptionSpecs

interface Saving {
  sandbox: Sandbox
  values: Values<typeof OPTIONS>
}

export const save = createCommand({
  usage: 'save --scenario FILE | --fixture FILE [options]',
  about:
    'Saves what a sandbox has seen as a scenario, without keys and tokens; or the world as it\n' +
    'is now, as a fixture.',
  options: OPTIONS,
  async act({ values }) {
    const { scenario, fixture } = values
    if (scenario === undefined && fixture === undefined) {
      throw invalid('--scenario', 'save needs --scenario FILE, --fixture FILE, or both.')
    }
    await withSandbox(values, async (sandbox) => {
      if (scenario !== undefined) await saveScenario(scenario, { sandbox, values })
      if (fixture !== undefined) await saveFixture(fixture, { sandbox, values })
    })
  },
})

async function saveScenario(file: string, { sandbox, values }: Saving) {
  const session = await readSession(sandbox.control)
  const calls = session.rows.filter((row) => isCall(row) && !findObstacle(row)).length
  if (calls === 0) {
    const field = { field: '--scenario' }
    throw new DomainError('conflict', 'There is no call that a scenario could make.', field)
  }
  if (session.isCut) {
    const cut = 'Earlier calls are kept no longer, so the scenario begins in the middle.'
    process.stderr.write(`ramp-sandbox: ${cut}\n`)
  }
  const scenario = writeScenario(session, values.title)
  const leftOut = scenario.match(/^ *\/\/ Left out: /gm)?.length ?? 0
  writeOutput('--scenario', file, scenario)
  if (values.json) return say(JSON.stringify({ scenario: file, calls, leftOut }))
  // A path needs a slash; anything else is the name of a scenario.
  const path = file.includes('/') ? file : `./${file}`
  const made = `${calls} call${calls === 1 ? '' : 's'}`
  const rest = leftOut > 0 ? `, and ${leftOut} left out, as its comments say` : ''
  say(`${file}: ${made}${rest}; play it with ramp-sandbox play ${path}`)
}

async function saveFixture(file: string, { sandbox, values }: Saving) {
  const state = await sandbox.control<State>('GET', '/state')
  const fixture = toFixture(state)
  const changed = countChanged(state, startFrom(fixture, state))
  writeOutput('--fixture', file, `${JSON.stringify(fixture, null, 2)}\n`)
  const { users = [], transactions = [] } = fixture
  const counts = { users: users.length, transactions: transactions.length, changed }
  if (values.json) return say(JSON.stringify({ fixture: file, ...counts }))
  const other = changed > 0 ? `; ${changed} will have another amount or status` : ''
  say(`${file}: ${counts.users} users, ${counts.transactions} transactions${other}`)
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
    throw invalid('--fixture', `No fixture can begin with this world: ${messageOf(error)}`)
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
