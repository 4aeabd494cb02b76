import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Exploration, explore as exploreStory } from '../explore/explore.ts'
import { formatExploration, toJson } from '../explore/report.ts'
import { loadStory, type StoryToPlay } from '../explore/runner.ts'
import { toFoundScenario } from '../explore/write-scenario.ts'
import { Worlds } from '../host/worlds.ts'
import { runCommand, toReceiver } from '../scenario/receiver-commands.ts'
import { HOLD_FACTOR, SETTLE_MS } from '../scenario/settling.ts'
import type { Disturbed, Stage } from '../scenario/types.ts'
import { DomainError, messageOf } from '../world/domain-error.ts'
import { createCommand, type OptionSpecs, type Values } from './command.ts'
import { COUNT, invalid, LENGTH, oneOf, PORT, WEBHOOK_URL, writeOutput } from './option-values.ts'
import { toPlace } from './remote.ts'
import { printJson, printText, showProgress } from './terminal.ts'

/** Exit code of a process that a signal ended, less its number. */
const SIGNAL_CODE = 128

const DEPTH = oneOf(['1', '2'])

const OPTIONS = {
  'webhook-url': { ...WEBHOOK_URL, short: 'w', help: 'where the receiver gets webhooks' },
  state: { value: 'COMMAND|URL', help: 'how to read the receiver’s state after the story' },
  reset: { value: 'COMMAND|URL', help: 'how to reset the receiver, unless --run restarts it' },
  reconcile: { value: 'COMMAND|URL', help: 'how to start the receiver’s reconciliation' },
  calls: { help: 'also disturb the calls that your own code makes during the story' },
  run: { value: 'COMMAND', help: 'how to start the receiver, so that runs can kill it' },
  ignore: { value: 'PATH', many: true, help: 'a field of the state that differs each time' },
  depth: { ...DEPTH, standard: '1', help: 'with 2, also try every pair' },
  max: { ...COUNT, help: 'the most runs to make; 2000 by default' },
  settle: { ...LENGTH, help: 'how long to wait until the state is stable; 500ms by default' },
  port: { ...PORT, short: 'p', standard: '4100', help: 'where the receiver finds the API' },
  url: { value: 'URL', help: 'explore in forks of a world of a running sandbox' },
  'control-token': { value: 'TOKEN', help: 'control token of that sandbox' },
  from: { value: 'SNAPSHOT', help: 'begin at a snapshot of that world; --do says what happens' },
  do: { value: 'COMMAND', many: true, help: 'a step of the story, in place of a scenario' },
  out: {
    value: 'FOLDER',
    help: 'folder for the scenarios of findings; the current one by default',
  },
  json: { short: 'j', help: 'print the result as JSON' },
} as const satisfies OptionSpecs

export const explore = createCommand({
  usage: 'explore [NAME|FILE] --webhook-url URL --state COMMAND [options]',
  about:
    'Plays a scenario again and again with its webhooks in every order, doubled, lost, early, late\n' +
    'and forged, and compares where the receiver ends. See docs/explore.md.\n\n' +
    'ramp-sandbox explore buy-completes --webhook-url localhost:3000/hooks\n' +
    '--state http://localhost:3000/test/state --reset http://localhost:3000/test/reset',
  words: true,
  hasFindings: true,
  exits: {
    0: 'The receiver withstood everything.',
    1: 'The run failed, or the command line is wrong; stderr says why.',
    2: 'There are findings.',
  },
  options: OPTIONS,
  async act({ values, words, named }) {
    mkdirSync(values.out ?? '.', { recursive: true })
    const commands = toCommands(values)
    const story = await findStory(words, values.do).catch(toDomainError)
    const { signal, exploration } = await exploreUntilStopped(story, values, commands)
    const isLimited = named.includes('max') && !signal.aborted
    report({ story, values, commands, exploration })
    const seconds = (exploration.ms / 1_000).toFixed(1)
    const stopped = signal.aborted ? ', stopped' : ''
    process.stderr.write(`${exploration.runs} runs in ${seconds} s${stopped}\n`)
    process.exitCode = toExitCode(exploration, isLimited)
  },
})

/** Ends with 0 only where everything was tried, or where the user chose the limit. */
function toExitCode({ findings, unclear, leftOut }: Exploration, isLimited: boolean): number {
  if (findings.length > 0) return 2
  return unclear.length > 0 || (leftOut > 0 && !isLimited) ? 1 : 0
}

function toCommands(values: Values<typeof OPTIONS>) {
  const { run, reset, reconcile } = values
  const state = required('--state', values.state)
  const webhookUrl = required('--webhook-url', values['webhook-url'])
  if (reset === undefined && run === undefined) {
    const hint = 'Without one, each run would begin with what the last one left.'
    throw invalid('--reset', 'explore needs --reset, or --run to start the receiver anew.', hint)
  }
  return { webhookUrl, reset, state, reconcile, run }
}

/** The first Ctrl-C ends after the run that is under way, and shows what was found. */
async function exploreUntilStopped(
  story: StoryToPlay,
  values: Values<typeof OPTIONS>,
  commands: ReturnType<typeof toCommands>,
) {
  const controller = new AbortController()
  const { signal } = controller
  // A process that exits ends its receiver, which one that a signal ends leaves behind.
  const end = (_: NodeJS.Signals, number: number) => process.exit(SIGNAL_CODE + number)
  const stop = (name: NodeJS.Signals, number: number) =>
    signal.aborted ? end(name, number) : controller.abort()
  process.on('SIGINT', stop).on('SIGTERM', end).on('SIGHUP', end)
  const site = openSite(values)
  try {
    const exploration = await exploreStory(story, {
      ...site,
      snapshot: values.from,
      ignore: ignoredIn(values),
      signal,
      receiver: toReceiver(commands),
      onProgress: ({ done, of, failures }) =>
        showProgress(`${done} of ${of} runs, ${failures} failed`),
      depth: values.depth === '1' ? 1 : 2,
      max: values.max,
      settleMs: values.settle,
      calls: values.calls,
      port: values.port,
    })
    return { signal, exploration }
  } catch (error) {
    return toDomainError(error)
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', end).off('SIGHUP', end)
    showProgress('')
    await site.close()
  }
}

function toDomainError(error: unknown): never {
  throw error instanceof DomainError ? error : new DomainError('conflict', messageOf(error))
}

const ignoredIn = ({ ignore }: Values<typeof OPTIONS>) => (ignore.length > 0 ? ignore : undefined)

interface Explored {
  story: StoryToPlay
  values: Values<typeof OPTIONS>
  commands: ReturnType<typeof toCommands>
  exploration: Exploration
}

function report({ story, values, commands, exploration }: Explored): void {
  const isScenario = typeof story !== 'function'
  const name = isScenario ? story.name : 'story'
  // A story of commands cannot be written as a scenario.
  const files = isScenario ? writeScenarios(story, { values, commands, exploration }) : []
  if (values.json) printJson(toJson(name, exploration, files))
  else printText(formatExploration(name, exploration, files).trimEnd())
}

/** Writes a scenario for each finding, which plays it again. */
function writeScenarios(
  story: Exclude<StoryToPlay, (...args: never) => unknown>,
  { values, commands, exploration }: Omit<Explored, 'story'>,
): string[] {
  const { out = '.', port, settle: settleMs } = values
  const { reference, findings } = exploration
  return findings.map((finding, at) => {
    const { sentence, disturbances, step, contradictions, refused } = finding
    const file = `${out === '.' ? '' : `${out}/`}explore-${at + 1}.js`
    const disturbed: Disturbed = {
      ...commands,
      port,
      ignore: ignoredIn(values),
      settleMs: toWait(reference.busyMs, settleMs),
      disturbances,
      // If a webhook of the undisturbed story is refused, its end state is not what anyone expects.
      expected: refused && disturbances.length === 0 ? undefined : reference.end,
      steps: step === undefined ? undefined : reference.steps,
      audit: contradictions && reference.audit,
    }
    writeOutput('--out', resolve(file), toFoundScenario({ ...story, sentence, disturbed }))
    return file
  })
}

/**
 * Waits longer for a receiver that keeps working after its response. The wait is rounded up, so
 * that a busy machine does not change it.
 */
function toWait(busyMs: number, settleMs: number | undefined): number | undefined {
  if (busyMs === 0) return settleMs
  const waits = Math.ceil((busyMs * HOLD_FACTOR) / SETTLE_MS)
  return Math.max(settleMs ?? 0, waits * SETTLE_MS)
}

function required(option: string, given: string | undefined): string {
  if (given !== undefined) return given
  throw invalid(option, `explore needs ${option}.`, 'ramp-sandbox explore --help shows an example.')
}

async function findStory(words: readonly string[], steps: readonly string[]): Promise<StoryToPlay> {
  const [word, more] = words
  if (more !== undefined) throw invalid(more, 'explore takes one scenario.')
  if (word === undefined && steps.length > 0) return toStory(steps)
  if (word === undefined || steps.length > 0) {
    throw invalid('scenario', 'Name a scenario, or say with --do what happens; not both.')
  }
  return await loadStory(word)
}

/** Each step is a command that finds the world of its run in RAMP_SANDBOX_URL. */
function toStory(steps: readonly string[]) {
  return async ({ control, webhooks, step: begin }: Stage) => {
    const { integrators } = await control.get('/info')
    // Commands call through the relay, so that their calls can be disturbed too.
    const { origin: url } = new URL(webhooks.url)
    const place = { url, apiKey: integrators[0]?.apiKey ?? '', signingSecret: webhooks.secret }
    for (const step of steps) {
      begin(step)
      // With a frozen clock, all events would have the same time.
      await control.post('/clock/advance', { by: 1 })
      await runCommand(step, place)
    }
  }
}

/** Opens the sandbox to explore in: one that runs, or one of its own. */
function openSite({ url, 'control-token': token }: Values<typeof OPTIONS>) {
  if (url !== undefined) {
    const place = toPlace({ url: url.replace(/\/+$/, ''), 'control-token': token })
    return { ...place, fetch, close: async () => undefined }
  }
  const worlds = new Worlds()
  return { url: 'http://127.0.0.1', fetch: worlds.fetch, close: () => worlds.close() }
}
