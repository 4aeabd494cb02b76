import { basename } from 'node:path'
import { formatValue } from '../agreement/differences.ts'
import { BrokenRecording, readRecording } from '../agreement/recording.ts'
import { type Compared, replayRecording } from '../agreement/replay/replay.ts'
import { formatReplay } from '../agreement/replay/report.ts'
import { SandboxError } from '../client/error.ts'
import { UnreadableResponse } from '../client/read-body.ts'
import { OPERATIONS } from '../host/worlds.ts'
import { settingsOn } from '../http/concerns.ts'
import { readTextFile } from '../text-file.ts'
import { messageOf } from '../world/domain-error.ts'
import type { SettingValue } from '../world/settings/setting.ts'
import { createCommand, type OptionSpecs } from './command.ts'
import { formatJunit, type JunitCase } from './junit.ts'
import { invalid, SETTING, SETTINGS_FILE, writeOutput } from './option-values.ts'
import { openHost, type PlayHost } from './play-host.ts'
import { printJson, printText } from './terminal.ts'

const OPTIONS = {
  against: {
    value: 'URL',
    help: 'replay in a world of a sandbox that runs, not in one of its own',
  },
  'control-token': { value: 'TOKEN', help: 'what that sandbox asks for' },
  set: { ...SETTING, many: true, help: 'a setting of the world, or a file' },
  settings: { ...SETTINGS_FILE, help: 'a file of settings, such as `calibrate --out` writes' },
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
    'Drives a sandbox with recordings, and compares every response and webhook with what was recorded.',
  words: true,
  hasFindings: true,
  exits: {
    0: 'All that can be compared is the same.',
    1: 'A recording cannot be read, or replays nothing, or the command line is wrong.',
    2: 'Something differs.',
  },
  options: OPTIONS,
  async act({ values, words }) {
    if (words.length === 0) {
      throw invalid('replay', 'replay takes the files of recordings; none was given.')
    }
    const settings = Object.assign({}, values.settings, ...values.set)
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
    const all = replayed.flatMap(({ compared }) => compared)
    const isDifferent = all.some(({ differences }) => differences.length > 0)
    process.exitCode = replayed.some(({ problem }) => problem !== null) ? 1 : isDifferent ? 2 : 0
  },
})

/** One recording with what came of it, and why nothing did. */
interface Replayed {
  file: string
  compared: Compared[]
  problem: string | null
}

interface ReplayFileOptions {
  host: PlayHost
  settings: Record<string, SettingValue>
  ignored: readonly string[]
}

async function replayFile(file: string, options: ReplayFileOptions): Promise<Replayed> {
  const { host, settings, ignored } = options
  try {
    const entries = readRecording(readTextFile(file))
    const { url, fetch, close } = await host.openWorld(basename(file))
    const { controlToken } = host
    const replaying = replayRecording(entries, { url, fetch, controlToken, settings, ignored })
    const compared = await replaying.finally(close)
    const isUseful = compared.some(({ verdict }) => verdict !== 'cannot be compared')
    return { file, compared, problem: isUseful ? null : 'Nothing in it can be compared.' }
  } catch (error) {
    const expected = [BrokenRecording, SandboxError, UnreadableResponse]
    const isMissing = error instanceof Error && 'code' in error
    if (!isMissing && !expected.some((kind) => error instanceof kind)) throw error
    return { file, compared: [], problem: messageOf(error) }
  }
}

/** The settings that the responses of an operation, or webhooks, rest on. */
function settingsOf(operation: string): readonly string[] {
  if (operation === 'webhook') return settingsOn({ id: 'onTransactionUpdate' })
  const found = OPERATIONS.find(({ id }) => id === operation)
  return found ? settingsOn(found) : []
}

function formatOne({ file, compared, problem }: Replayed): string {
  if (problem !== null && compared.length === 0) return `${file}\n  ✗ ${problem}\n`
  return `${formatReplay(file, compared, settingsOf)}${problem === null ? '' : `✗ ${problem}\n`}`
}

function toJson({ file, problem, compared }: Replayed) {
  const all = compared.map((entry) => {
    const settings = entry.differences.length > 0 ? settingsOf(entry.operation) : []
    return { ...entry, settings }
  })
  return { file, problem, compared: all }
}

const toCases = (replayed: readonly Replayed[]): JunitCase[] =>
  replayed.flatMap(({ file, problem, compared }) => {
    const base = { ms: 0, out: '', detail: '', message: problem ?? '' }
    const failed: JunitCase[] = problem === null ? [] : [{ ...base, name: file, result: 'error' }]
    const cases = compared.map(({ n, operation, why = '', differences }): JunitCase => {
      const lines = differences.map(
        ({ path, expected, actual }) =>
          `${path}: recorded ${formatValue(expected)}, now ${formatValue(actual)}`,
      )
      const result = why ? 'skipped' : lines.length > 0 ? 'failure' : 'passed'
      const name = `${basename(file)} ${n ?? 'not recorded'} ${operation}`
      return { ...base, name, result, message: why || (lines[0] ?? ''), detail: lines.join('\n') }
    })
    return [...failed, ...cases]
  })
