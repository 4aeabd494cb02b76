import type { Sandbox } from '../client/client.ts'
import { toFixture } from '../fixture/save.ts'
import { findObstacle, writeScenario } from '../scenario/save.ts'
import { isCall, readSession } from '../scenario/session.ts'
import { DomainError } from '../world/domain-error.ts'
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
  const fixture = toFixture(await sandbox.control<State>('GET', '/state'))
  writeOutput('--fixture', file, `${JSON.stringify(fixture, null, 2)}\n`)
  const { users = [], transactions = [] } = fixture
  const counts = { users: users.length, transactions: transactions.length }
  if (values.json) return say(JSON.stringify({ fixture: file, ...counts }))
  say(`${file}: ${counts.users} users, ${counts.transactions} transactions`)
}

const say = (text: string) => void process.stdout.write(`${text}\n`)
