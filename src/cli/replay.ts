import { randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import { BrokenRecording, readRecording } from '../agreement/recording.ts'
import { type Compared, type ReplayOptions, replayRecording } from '../agreement/replay/replay.ts'
import { formatDifference, formatReplay } from '../agreement/replay/report.ts'
import type { Sandbox } from '../client/client.ts'
import { connectSandbox } from '../client/connect.ts'
import { createSandbox } from '../host/create-sandbox.ts'
import { OPERATIONS } from '../host/worlds.ts'
import { settingsOn } from '../http/concerns.ts'
import { readTextFile } from '../text-file.ts'
import { messageOf } from '../world/domain-error.ts'
import { createCommand } from './command.ts'
import { JUNIT, type JunitCase, writeJunit } from './junit.ts'
import { invalid, oneOf, SETTING, SETTINGS_FILE } from './option-values.ts'
import { toPlace } from './remote.ts'
import { printJson, printText } from './terminal.ts'

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
  options: {
    against: {
      value: 'URL',
      help: 'replay in worlds of a sandbox that runs, not in one of its own',
    },
    'control-token': { value: 'TOKEN', help: 'what that sandbox asks for' },
    set: { ...SETTING, many: true, help: 'a setting of the world, or a file' },
    settings: { ...SETTINGS_FILE, help: 'a file of settings, such as `calibrate --out` writes' },
    ignore: {
      value: 'PATH',
      many: true,
      help: 'a field that may differ, such as requestId or createQuote.data.rate',
    },
    'ignore-additional': {
      ...oneOf(['yes', 'no']),
      standard: 'yes',
      help: 'ignore fields that only the recording has',
    },
    json: { help: 'print what was compared' },
    junit: JUNIT,
  },
  async act({ values, words }) {
    if (words.length === 0) {
      throw invalid('replay', 'replay takes the files of recordings; none was given.')
    }
    const { against, ignore: ignored } = values
    const { controlToken } = toPlace(values)
    const settings = Object.assign({}, values.settings, ...values.set)
    const ignoresAdditional = values['ignore-additional'] === 'yes'
    const options = { settings, ignored, ignoresAdditional }
    await using sandbox: Sandbox =
      against === undefined ? await createSandbox() : connectSandbox(against, { controlToken })
    const replayed: Replayed[] = []
    for (const file of words) {
      // Others may use that sandbox, too, and a replay resets its world.
      const world = sandbox.world(`replay-${randomBytes(8).toString('hex')}`)
      replayed.push(await replayFile(file, world, options))
    }
    if (values.json) printJson(replayed.map(toJson))
    else for (const one of replayed) printText(formatOne(one).trimEnd())
    writeJunit(values.junit, 'replay', 'recordings', replayed.flatMap(toCases))
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

async function replayFile(file: string, world: Sandbox, options: ReplayOptions): Promise<Replayed> {
  try {
    const entries = readRecording(readTextFile(file))
    const compared = await replayRecording(entries, world, options).finally(world.close)
    const isUseful = compared.some(({ verdict }) => verdict !== 'cannot be compared')
    return { file, compared, problem: isUseful ? null : 'Nothing in it can be compared.' }
  } catch (error) {
    // A file that is not there, or settings that are refused, have a code.
    const isExpected =
      error instanceof BrokenRecording || (error instanceof Error && 'code' in error)
    if (!isExpected) throw error
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

function toCases({ file, problem, compared }: Replayed): JunitCase[] {
  const cases = compared.map(({ n, operation, why, differences }): JunitCase => {
    const name = `${basename(file)} ${n ?? 'not recorded'} ${operation}`
    const lines = differences.map(formatDifference)
    const [message = why ?? ''] = lines
    const result = why ? 'skipped' : lines.length > 0 ? 'failure' : 'passed'
    return { name, result, message, detail: lines.join('\n') }
  })
  return problem === null ? cases : [{ name: file, result: 'error', message: problem }, ...cases]
}
