import { basename } from 'node:path'
import { formatValue } from '../agreement/differences.ts'
import { BrokenRecording, type RecordingEntry, readRecording } from '../agreement/recording.ts'
import { type Compared, replayRecording } from '../agreement/replay/replay.ts'
import { formatReplay } from '../agreement/replay/report.ts'
import { SandboxError } from '../client/error.ts'
import { UnreadableResponse } from '../client/read-body.ts'
import { OPERATIONS } from '../host/worlds.ts'
import { settingsOn } from '../http/concerns.ts'
import { readTextFile } from '../text-file.ts'
import { DomainError, messageOf } from '../world/domain-error.ts'
import type { SettingValue } from '../world/settings/setting.ts'
import { createCommand, type Given, type OptionSpecs, printProblems } from './command.ts'
import { formatJunit, type JunitCase } from './junit.ts'
import { invalid, readSettings, writeOutput } from './option-values.ts'
import { openHost, type PlayHost } from './play-host.ts'
import { printJson, printText } from './terminal.ts'

/** All the same; differences; nothing could be compared. */
const EXIT = { same: 0, differs: 2, undone: 1 } as const

const OPTIONS = {
  against: {
    value: 'URL',
    help: 'replay in a world of a sandbox that runs, not in one of its own',
  },
  'control-token': { value: 'TOKEN', help: 'what that sandbox asks for' },
  set: { value: 'ID=VALUE|@FILE', many: true, help: 'a setting of the world, or a file' },
  settings: { value: 'FILE', help: 'a file of settings, such as `calibrate --out` writes' },
  ignore: {
    value: 'PATH',
    many: true,
    help: 'a field that may differ, such as requestId or createQuote.data.rate',
  },
  json: { help: 'print what was compared' },
  junit: { value: 'FILE', help: 'a file to write the results to, in the format of JUnit' },
} as const satisfies OptionSpecs

export const replay = createCommand({
  usage: 'replay FILE… [options]',
  about:
    'Drives a sandbox with recordings, and compares every answer and webhook with what was recorded.\n' +
    'Ends with 0 when all that can be compared is the same, with 2 when something differs, and with 1\n' +
    'when a recording cannot be read or replays nothing.',
  words: true,
  exits: {
    0: 'All that can be compared is the same.',
    1: 'A recording cannot be read, or replays nothing.',
    2: 'Something differs, or the command line is wrong.',
  },
  options: OPTIONS,
  async act(given) {
    try {
      await act(given)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      printProblems(error)
      process.exitCode = EXIT.undone
    }
  },
})

async function act({ values, words }: Given<typeof OPTIONS>) {
  if (words.length === 0) {
    throw invalid('replay', 'replay takes the files of recordings; none was given.')
  }
  const settings = readSettings(values)
  const token = values['control-token']
  const host = await openHost({ url: values.against, 'control-token': token, webhookUrl: null })
  const replayed: Replayed[] = []
  try {
    for (const file of words) {
      replayed.push(await replayFile(file, { host, settings, ignored: values.ignore }))
    }
  } finally {
    await host.close()
  }
  if (values.json) printJson(replayed.map(toJson))
  else for (const one of replayed) printText(formatOne(one).trimEnd())
  if (values.junit) {
    writeOutput('--junit', values.junit, formatJunit('replay', 'recordings', toCases(replayed)))
  }
  process.exitCode = exitCodeOf(replayed)
}

/** One recording with what came of it, or why nothing did. */
interface Replayed {
  file: string
  compared: Compared[]
  problem?: string | undefined
}

interface ReplayFileOptions {
  host: PlayHost
  settings: Record<string, SettingValue>
  ignored: readonly string[]
}

async function replayFile(file: string, options: ReplayFileOptions): Promise<Replayed> {
  try {
    const entries = readRecording(readTextFile(file))
    return { file, compared: await replayEntries(basename(file), entries, options) }
  } catch (error) {
    const isExpected = [BrokenRecording, SandboxError, UnreadableResponse].some(
      (expected) => error instanceof expected,
    )
    const isMissing = error instanceof Error && 'code' in error
    if (!isExpected && !isMissing) throw error
    return { file, compared: [], problem: messageOf(error) }
  }
}

async function replayEntries(
  name: string,
  entries: RecordingEntry[],
  { host, settings, ignored }: ReplayFileOptions,
): Promise<Compared[]> {
  const { url, fetch, close } = await host.openWorld(name)
  try {
    const { controlToken } = host
    return await replayRecording(entries, { url, fetch, controlToken, settings, ignored })
  } finally {
    await close()
  }
}

/** The settings that the answers of an operation, or webhooks, rest on. */
function settingsOf(operation: string): readonly string[] {
  if (operation === 'webhook') return settingsOn({ id: 'onTransactionUpdate' })
  const found = OPERATIONS.find(({ id }) => id === operation)
  return found ? settingsOn(found) : []
}

const isComparable = ({ verdict }: Compared) => verdict !== 'cannot be compared'

const NOTHING = 'Nothing in it can be compared.'

const findProblem = ({ problem, compared }: Replayed): string | undefined =>
  problem ?? (compared.some(isComparable) ? undefined : NOTHING)

function exitCodeOf(replayed: readonly Replayed[]): number {
  if (replayed.some((one) => findProblem(one) !== undefined)) return EXIT.undone
  const all = replayed.flatMap(({ compared }) => compared)
  return all.some(({ differences }) => differences.length > 0) ? EXIT.differs : EXIT.same
}

function formatOne(one: Replayed): string {
  const problem = findProblem(one)
  if (problem !== undefined && one.compared.length === 0) return `${one.file}\n  ✗ ${problem}\n`
  const report = formatReplay(one.file, one.compared, settingsOf)
  return problem === undefined ? report : `${report}✗ ${problem}\n`
}

function toJson(one: Replayed) {
  const { file, compared } = one
  const all = compared.map((entry) => ({ ...entry, settings: findSettings(entry) }))
  return { file, problem: findProblem(one) ?? null, compared: all }
}

const findSettings = ({ operation, differences }: Compared) =>
  differences.length > 0 ? settingsOf(operation) : []

const toCases = (replayed: readonly Replayed[]): JunitCase[] =>
  replayed.flatMap((one) => {
    const problem = findProblem(one)
    const base = { ms: 0, out: '', detail: '', message: '' }
    const failed: JunitCase[] =
      problem === undefined ? [] : [{ ...base, name: one.file, result: 'error', message: problem }]
    return [...failed, ...one.compared.map((entry) => toCase(one, entry))]
  })

function toCase({ file }: Replayed, { n, operation, why = '', differences }: Compared): JunitCase {
  const lines = differences.map(
    ({ path, expected, actual }) =>
      `${path}: recorded ${formatValue(expected)}, now ${formatValue(actual)}`,
  )
  const result = why ? 'skipped' : lines.length > 0 ? 'failure' : 'passed'
  const message = why || (lines[0] ?? '')
  const name = `${basename(file)} ${n ?? 'not recorded'} ${operation}`
  return { name, ms: 0, result, message, detail: lines.join('\n'), out: '' }
}
