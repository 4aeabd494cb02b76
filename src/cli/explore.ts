import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Exploration, explore as exploreStory, type StoryToPlay } from '../explore/explore.ts'
import type { ReceiverFinding } from '../explore/findings.ts'
import { formatExploration, toJson } from '../explore/report.ts'
import { toFoundScenario } from '../explore/write-scenario.ts'
import { createWorlds } from '../host/worlds.ts'
import { loadScenario } from '../scenario/load.ts'
import { findScenario, UnknownScenario } from '../scenario/play.ts'
import { runCommand, toReceiver } from '../scenario/receiver-commands.ts'
import type { Stage } from '../scenario/types.ts'
import { createCommand } from './command.ts'
import { formatJunit, type JunitCase } from './junit.ts'
import { invalid, toPort, toWebhookUrl, writeOutput } from './option-values.ts'
import { printJson, printText } from './terminal.ts'

const MAX = '2000'

export const explore = createCommand({
  usage: 'explore [NAME|FILE] --webhook-url URL --state COMMAND [options]',
  about:
    'Plays a scenario again and again with its webhooks in every order, doubled, lost, early, late\n' +
    'and forged, and compares where the receiver ends. See docs/explore.md.',
  words: true,
  exits: {
    0: 'The receiver withstood everything.',
    1: 'It could not be done; stderr says why.',
    2: 'There are findings, or the command line is wrong.',
  },
  options: {
    'webhook-url': { value: 'URL', short: 'w', help: 'where the receiver takes webhooks' },
    state: { value: 'COMMAND|URL', help: 'prints what the receiver made of the story' },
    reset: { value: 'COMMAND|URL', help: 'begins anew; without it --run starts again each time' },
    reconcile: { value: 'COMMAND|URL', help: 'lets it ask for what it lost' },
    run: { value: 'COMMAND', help: 'starts the receiver, which is then also killed' },
    ignore: { value: 'PATH', many: true, help: 'a field of the state that differs each time' },
    depth: { value: '1|2', help: '2 also tries every pair; 1 by default' },
    max: { value: 'RUNS', help: `most runs; ${MAX} by default` },
    port: { value: 'PORT', short: 'p', help: 'where the receiver finds the API; 4100 by default' },
    url: { value: 'URL', help: 'explore in forks of a world of a sandbox that runs' },
    'control-token': { value: 'TOKEN', help: 'what that sandbox asks for' },
    from: { value: 'SNAPSHOT', help: 'begin at a snapshot of that world; --do says what happens' },
    do: { value: 'COMMAND', many: true, help: 'a step of the story, in place of a scenario' },
    out: { value: 'FOLDER', help: 'where scenarios of the findings are written; here by default' },
    json: { short: 'j', help: 'print the result as JSON' },
    junit: { value: 'FILE', help: 'a file to write the results to, in the format of JUnit' },
  },
  async act({ values, words }) {
    const { run, reset, reconcile, from: snapshot, port = '4100', out = '.' } = values
    mkdirSync(out, { recursive: true })
    const ignore = values.ignore.length > 0 ? values.ignore : undefined
    const state = required('--state', values.state)
    const webhookUrl = toWebhookUrl(
      '--webhook-url',
      required('--webhook-url', values['webhook-url']),
    )
    const commands = { webhookUrl, reset, state, reconcile, run }
    const { story, title } = await findStory(words, values.do)
    const { signal, stop } = listenForInterrupt()
    const site = openSite(values)
    const exploration = await exploreStory(story, {
      ...site,
      ...{ snapshot, ignore, signal, receiver: toReceiver(commands), onProgress: showProgress },
      depth: toDepth(values.depth),
      max: toCount(values.max ?? MAX),
      port: toPort(port),
    })
      .finally(() => {
        stop()
        clearProgress()
        return site.close()
      })
      .catch((error: unknown) => {
        process.stderr.write(`ramp-sandbox: ${error instanceof Error ? error.message : error}\n`)
        return undefined
      })
    if (exploration === undefined) {
      process.exitCode = 1
      return
    }
    const { findings, killAfterMs } = exploration
    const files = findings.map((finding, at) =>
      writeFound(story, {
        finding,
        at,
        out,
        disturbed: { ...commands, port: toPort(port), ignore, killAfterMs },
      }),
    )
    const written = files.filter((file) => file !== undefined)
    if (values.json) {
      printJson(toJson(title, exploration, written))
    } else printText(formatExploration(title, exploration, written).trimEnd())
    if (values.junit) writeOutput('--junit', values.junit, toJunit(title, exploration))
    const seconds = (exploration.ms / 1_000).toFixed(1)
    process.stderr.write(
      `${exploration.runs} runs in ${seconds} s${signal.aborted ? ', stopped' : ''}\n`,
    )
    process.exitCode = findings.length > 0 ? 2 : signal.aborted ? 1 : 0
  },
})

function required(option: string, given: string | undefined): string {
  if (given !== undefined) return given
  throw invalid(option, `explore needs ${option}.`, 'ramp-sandbox explore --help shows an example.')
}

function toDepth(given = '1'): 1 | 2 {
  if (given === '1' || given === '2') return given === '1' ? 1 : 2
  throw invalid('--depth', `--depth is 1 or 2, not ${given}.`)
}

function toCount(given: string): number {
  if (/^[1-9]\d{0,6}$/.test(given)) return Number(given)
  throw invalid('--max', `--max is a number of runs, not ${given}.`)
}

async function findStory(words: readonly string[], steps: readonly string[]) {
  const [word, more] = words
  if (more !== undefined) throw invalid(more, 'explore takes one scenario.')
  if (word === undefined && steps.length > 0) return { title: 'story', story: toStory(steps) }
  if (word === undefined || steps.length > 0) {
    throw invalid('scenario', 'Name a scenario, or say with --do what happens; not both.')
  }
  const found = findScenario(word)
  if (found instanceof UnknownScenario) throw invalid('scenario', found.message)
  const scenario = await loadScenario(found.file)
  return { title: found.name, story: { ...found, scenario } }
}

/** Each step is a command that finds the world of its run in RAMP_SANDBOX_URL. */
function toStory(steps: readonly string[]) {
  return async ({ control, webhooks }: Stage) => {
    const { baseUrl: url, integrators } = await control.get('/info')
    const place = { url, apiKey: integrators[0]?.apiKey ?? '', signingSecret: webhooks.secret }
    for (const step of steps) {
      // Else all events of a clock that stands still would have one time.
      await control.post('/clock/advance', { by: 1 })
      await runCommand(step, place)
    }
  }
}

/** Forks of a world of a sandbox that runs, or of one in this process that lasts as long as this. */
function openSite({
  url,
  'control-token': given,
}: {
  url: string | undefined
  'control-token': string | undefined
}) {
  if (url !== undefined) {
    const controlToken = given ?? process.env.RAMP_SANDBOX_CONTROL_TOKEN
    return { url: url.replace(/\/+$/, ''), fetch, controlToken, close: async () => undefined }
  }
  const worlds = createWorlds()
  return { url: 'http://127.0.0.1', fetch: worlds.fetch, close: worlds.close }
}

interface FoundOptions {
  finding: ReceiverFinding
  at: number
  out: string
  disturbed: Omit<Parameters<typeof toFoundScenario>[0]['disturbed'], 'disturbances' | 'expected'>
}

/** The path of the scenario that plays a finding again; none for a story of commands. */
function writeFound(story: StoryToPlay, { finding, at, out, disturbed }: FoundOptions) {
  if (typeof story === 'function') return undefined
  const { sentence, disturbances, expected } = finding
  const file = `${out === '.' ? '' : `${out}/`}explore-${at + 1}.js`
  const found = { ...disturbed, disturbances, expected }
  writeOutput('--out', resolve(file), toFoundScenario({ ...story, sentence, disturbed: found }))
  return file
}

function toJunit(title: string, { held, findings, ms }: Exploration): string {
  const kept = held.map(({ name, held: count, of }): JunitCase => {
    const out = `${count} of ${of}`
    return { name, ms: ms / held.length, result: 'passed', message: '', detail: '', out }
  })
  const found = findings.map(({ sentence, also, expected, actual }): JunitCase => {
    const detail = JSON.stringify({ expected, actual }, null, 2)
    return {
      name: sentence,
      ms: 0,
      result: 'failure',
      message: sentence,
      detail,
      out: also.join('\n'),
    }
  })
  return formatJunit('explore', title, [...kept, ...found])
}

/** The first Ctrl-C ends after the run that is under way, and shows what was found. */
function listenForInterrupt() {
  const controller = new AbortController()
  const abort = () => controller.abort()
  process.once('SIGINT', abort)
  return { signal: controller.signal, stop: () => void process.off('SIGINT', abort) }
}

function showProgress({ done, of, failures }: { done: number; of: number; failures: number }) {
  if (!process.stderr.isTTY) return
  process.stderr.write(`\r${done} of ${of} runs, ${failures} failed\x1b[K`)
}

function clearProgress() {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
}
