import { Worlds } from '../host/worlds.ts'
import type { Stage } from '../scenario/types.ts'
import { exploreReceiver, type StoryToPlay } from '../variations/explore.ts'
import { loadStory } from '../variations/in-process.ts'
import { runCommand, toReceiver } from '../variations/receiver.ts'
import { formatReport, type Report, toExitCode, toReportJson } from '../variations/report.ts'
import { STEP_MS } from '../variations/run.ts'
import { DomainError, messageOf } from '../world/domain-error.ts'
import {
  createCommand,
  type OptionSpecs,
  repeatArgs,
  seeHelp,
  toShellLine,
  type Values,
} from './command.ts'
import { invalid, PORT, TOKEN, WEBHOOK_URL } from './option-values.ts'
import { toPlace } from './remote.ts'
import { printJson, printText, showProgress } from './terminal.ts'

/** Exit code of a process that a signal ended, less its number. */
const SIGNAL_CODE = 128

const OPTIONS = {
  'webhook-url': { ...WEBHOOK_URL, short: 'w', help: 'where the receiver gets webhooks' },
  state: { value: 'COMMAND|URL', help: 'how to read the receiver’s state after a run' },
  reset: { value: 'COMMAND|URL', help: 'how to reset the receiver, unless --run restarts it' },
  reconcile: { value: 'COMMAND|URL', help: 'how to start the receiver’s reconciliation' },
  run: { value: 'COMMAND', help: 'how to start the receiver; with --reset, it is also killed' },
  secret: {
    value: 'COMMAND|URL',
    help: 'how to give the receiver the signing secret before the first run',
  },
  calls: {
    help: 'also change what happens to the API calls of your own code',
  },
  ignore: {
    value: 'PATH',
    many: true,
    help: 'ignore this field of the state, which differs in each run',
  },
  only: {
    value: 'WORDS',
    help: 'only variations of this kind, or whose description contains these words',
  },
  port: {
    ...PORT,
    short: 'p',
    standard: '4100',
    help: 'port to serve the API on, for the receiver',
  },
  url: { value: 'URL', help: 'explore in forks of a world of a running sandbox' },
  'control-token': { ...TOKEN, help: 'control token of that sandbox' },
  from: {
    value: 'SNAPSHOT',
    help: 'start from this snapshot of that world; --do says what to run',
  },
  do: { value: 'COMMAND', many: true, help: 'a command to run, instead of a scenario' },
  json: { short: 'j', help: 'print the result as JSON' },
} as const satisfies OptionSpecs

export const explore = createCommand({
  usage: 'explore [NAME|FILE] --webhook-url URL --state COMMAND [options]',
  about:
    'play a scenario again and again, with its webhooks reordered, duplicated, lost, early or forged,\n' +
    'and compare the receiver’s state at the end (see docs/explore.md)\n\n' +
    'ramp-sandbox explore buy-completes --webhook-url localhost:3000/hooks\n' +
    '--state http://localhost:3000/test/state --reset http://localhost:3000/test/reset',
  words: true,
  hasFindings: true,
  exits: {
    0: 'Every variation was tried, and the receiver withstood them all.',
    1: 'There is no verdict, or the command line is wrong; the output says why.',
    2: 'There are findings.',
  },
  options: OPTIONS,
  async act({ values, words, texts }) {
    const commands = toCommands(values)
    if (values.from !== undefined && values.url === undefined) {
      throw invalid('--from', '--from needs --url URL.')
    }
    const story = await findStory(words, values.do).catch(toDomainError)
    const report = await exploreUntilStopped(story, values, commands)
    const again = (id: string) =>
      toShellLine(['explore', ...words, ...repeatArgs(texts, ['only']), `--only=${id}`])
    if (values.json) printJson(toReportJson(report, again))
    else printText(formatReport(report, again))
    return toExitCode(report)
  },
})

function toCommands({ run, reset, secret, reconcile, ...values }: Values<typeof OPTIONS>) {
  const state = required('--state', values.state)
  const webhookUrl = required('--webhook-url', values['webhook-url'])
  if (reset === undefined && run === undefined) {
    const hint = 'Without one, each run would start with what the last one left behind.'
    throw invalid(
      '--reset',
      'explore needs --reset, or --run to restart the receiver for each run.',
      hint,
    )
  }
  return { webhookUrl, reset, secret, state, reconcile, run }
}

function required(option: string, given: string | undefined): string {
  if (given !== undefined) return given
  throw invalid(option, `explore needs ${option}.`, seeHelp('explore'))
}

/** The first Ctrl-C ends the exploration, and shows what was found; a second one ends the process. */
async function exploreUntilStopped(
  story: StoryToPlay,
  values: Values<typeof OPTIONS>,
  commands: ReturnType<typeof toCommands>,
): Promise<Report> {
  const controller = new AbortController()
  // A process that exits ends its receiver, which one that a signal ends leaves behind.
  const end = (_: NodeJS.Signals, number: number) => process.exit(SIGNAL_CODE + number)
  const stop = (name: NodeJS.Signals, number: number) =>
    controller.signal.aborted ? end(name, number) : controller.abort()
  process.on('SIGINT', stop).on('SIGTERM', end).on('SIGHUP', end)
  const site = openSite(values)
  try {
    return await exploreReceiver({
      ...site,
      story,
      receiver: toReceiver(commands),
      snapshot: values.from,
      ignore: values.ignore,
      calls: values.calls,
      only: values.only,
      port: values.port,
      signal: controller.signal,
      onProgress: ({ done, of, failed }) =>
        showProgress(`${done} of ${of} variations, ${failed} failed`),
    })
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

async function findStory(words: readonly string[], steps: readonly string[]): Promise<StoryToPlay> {
  const [word, more] = words
  if (more !== undefined) throw invalid(more, 'explore takes one scenario.')
  if (word === undefined && steps.length > 0) return { name: '--do', steps: steps.map(toStep) }
  if (word === undefined) throw invalid('scenario', 'explore needs a scenario or --do.')
  if (steps.length > 0) throw invalid('scenario', 'Give a scenario or --do, not both.')
  return await loadStory(word)
}

/** A command that finds the world of its run in RAMP_SANDBOX_URL. */
const toStep =
  (command: string) =>
  async ({ control, webhooks }: Stage) => {
    const { integrators } = await control.get('/info')
    // Commands call through the relay, so that their calls can be changed too.
    const { origin: url } = new URL(webhooks.url)
    // With a frozen clock, all events would have the same time.
    await control.post('/clock/advance', { by: STEP_MS })
    const apiKey = integrators[0]?.apiKey ?? ''
    await runCommand(['--do', command], { url, apiKey, signingSecret: webhooks.secret })
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
