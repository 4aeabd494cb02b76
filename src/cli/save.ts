import { basename } from 'node:path'
import { type RecordingEntry, readRecording } from '../agreement/recording.ts'
import { toFixture } from '../agreement/save/fixture.ts'
import { readJournal } from '../agreement/save/journal.ts'
import { writeScenario } from '../agreement/save/scenario.ts'
import { connectSandbox } from '../client/connect.ts'
import { readTextFile } from '../text-file.ts'
import { DomainError, messageOf } from '../world/domain-error.ts'
import type { SettingValue } from '../world/settings/setting.ts'
import type { State } from '../world/state.ts'
import { createCommand, type OptionSpecs, REMOTE_OPTIONS, toPlace, type Values } from './command.ts'
import { invalid, writeOutput } from './option-values.ts'
import { toCommandError } from './remote.ts'

const OPTIONS = {
  scenario: { value: 'FILE', help: 'where to write the scenario, such as mine.mjs' },
  fixture: { value: 'FILE', help: 'where to write the fixture, such as mine.json' },
  from: { value: 'FILE', help: 'a recording, in place of a sandbox that runs' },
  title: { value: 'TEXT', help: 'what happens, in one line' },
  keep: { value: 'PATH', many: true, help: 'a field to show in the scenario, such as firstName' },
  ...REMOTE_OPTIONS,
  json: { short: 'j', help: 'print a line of JSON for each file' },
} as const satisfies OptionSpecs

export const save = createCommand({
  usage: 'save --scenario FILE | --fixture FILE [options]',
  about:
    'Saves what happened as a scenario, from a sandbox that runs or from a recording, with a stand-in\n' +
    'for every key, code and personal value; or the world as it stands as a fixture.',
  options: OPTIONS,
  async act({ values }) {
    const { scenario, fixture, from } = values
    if (scenario === undefined && fixture === undefined) {
      throw invalid('--scenario', 'save needs --scenario FILE, --fixture FILE, or both.')
    }
    if (from !== undefined && fixture !== undefined) {
      throw invalid(
        '--fixture',
        'A fixture is saved from a sandbox that runs, not from a recording.',
      )
    }
    if (scenario !== undefined) await saveScenario(scenario, values)
    if (fixture !== undefined) await saveFixture(fixture, values)
  },
})

type SaveValues = Values<typeof OPTIONS>

interface Session {
  entries: RecordingEntry[]
  settings?: Record<string, SettingValue>
}

async function saveScenario(file: string, values: SaveValues) {
  const { entries, settings } =
    values.from === undefined ? await readSession(values) : readFile(values.from)
  if (!entries.some(({ kind }) => kind === 'call')) {
    throw new DomainError('conflict', '--scenario', 'There is no call that a scenario could make.')
  }
  const description = values.from && `Saved from ${basename(values.from)}.`
  const { title } = values
  writeOutput('--scenario', file, writeScenario(entries, { title, description, settings }))
  const calls = entries.filter(({ kind }) => kind === 'call').length
  const what = `${calls} call${calls === 1 ? '' : 's'}`
  if (values.json) say(JSON.stringify({ scenario: file, calls }))
  else say(`${file}: ${what}; play it with ramp-sandbox play ${toPath(file)}`)
}

/** A word with a slash is a path; else it would be the name of a scenario. */
const toPath = (file: string) => (file.includes('/') ? file : `./${file}`)

async function readSession(values: SaveValues): Promise<Session> {
  const { keep } = values
  const journal = await ask(values, ({ control: call }) => readJournal({ call, keep }))
  if (journal.isCut) warn('Earlier calls are kept no longer, so the scenario begins in the middle.')
  return journal
}

async function saveFixture(file: string, values: SaveValues) {
  const state = await ask(values, ({ control }) => control<State>('GET', '/state'))
  const { document, left } = toFixture(state)
  writeOutput('--fixture', file, `${JSON.stringify(document, null, 2)}\n`)
  const { users = [], transactions = [] } = document
  const counts = { users: users.length, transactions: transactions.length }
  if (values.json) return say(JSON.stringify({ fixture: file, ...counts, left }))
  say(`${file}: ${counts.users} users, ${counts.transactions} transactions`)
  if (left.length > 0) say(`A fixture does not hold ${left.join(', ')}.`)
}

async function ask<Answer>(
  values: SaveValues,
  read: (sandbox: ReturnType<typeof connectSandbox>) => Promise<Answer>,
): Promise<Answer> {
  const { url, controlToken } = toPlace(values)
  try {
    return await read(connectSandbox(url, { controlToken }))
  } catch (error) {
    throw toCommandError(error)
  }
}

function readFile(file: string): Session {
  try {
    return { entries: readRecording(readTextFile(file)) }
  } catch (error) {
    throw invalid('--from', `${file} cannot be read as a recording: ${messageOf(error)}`)
  }
}

const say = (text: string) => void process.stdout.write(`${text}\n`)

const warn = (text: string) => void process.stderr.write(`ramp-sandbox: ${text}\n`)
