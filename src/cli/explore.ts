import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Exploration, explore as exploreStory, type StoryToPlay } from '../explore/explore.ts'
import type { ReceiverFinding } from '../explore/findings.ts'
import { formatExploration, toJson } from '../explore/report.ts'
import { toFoundScenario } from '../explore/write-scenario.ts'
import { Worlds } from '../host/worlds.ts'
import { loadScenario } from '../scenario/load.ts'
import { findScenario, UnknownScenario } from '../scenario/play.ts'
import { runCommand, toReceiver } from '../scenario/receiver-commands.ts'
import type { Stage } from '../scenario/types.ts'
import { DomainError, messageOf } from '../world/domain-error.ts'
import { createCommand } from './command.ts'
import { JUNIT, type JunitCase, writeJunit } from './junit.ts'
import { COUNT, invalid, LENGTH, oneOf, PORT, WEBHOOK_URL, writeOutput } from './option-values.ts'
import { printJson, printText } from './terminal.ts'

const DEPTH = oneOf(['1', '2'])

export const explore = createCommand({
  usage: 'explore [NAME|FILE] --webhook-url URL --state COMMAND [options]',
  about:
    'Plays a scenario again and again with its webhooks in every order, doubled, lost, early, late\n' +
    'and forged, and compares where the receiver ends. See docs/explore.md.',
  words: true,
  hasFindings: true,
  exits: {
    0: 'The receiver withstood everything.',
    1: 'It could not be done, or the command line is wrong; stderr says why.',
    2: 'There are findings.',
  },
  options: {
    'webhook-url': { ...WEBHOOK_URL, short: 'w', help: 'where the receiver takes webhooks' },
    state: { value: 'COMMAND|URL', help: 'prints what the receiver made of the story' },
    reset: { value: 'COMMAND|URL', help: 'begins anew; without it --run starts again each time' },
    reconcile: { value: 'COMMAND|URL', help: 'lets it ask for what it lost' },
    run: { value: 'COMMAND', help: 'starts the receiver, which is then also killed' },
    ignore: { value: 'PATH', many: true, help: 'a field of the state that differs each time' },
    depth: { ...DEPTH, standard: '1', help: '2 also tries every pair' },
    max: { ...COUNT, help: 'most runs; 2000 by default' },
    settle: { ...LENGTH, help: 'how long the state may still change; 500ms by default' },
    port: { ...PORT, short: 'p', standard: '4100', help: 'where the receiver finds the API' },
    url: { value: 'URL', help: 'explore in forks of a world of a sandbox that runs' },
    'control-token': { value: 'TOKEN', help: 'what that sandbox asks for' },
    from: { value: 'SNAPSHOT', help: 'begin at a snapshot of that world; --do says what happens' },
    do: { value: 'COMMAND', many: true, help: 'a step of the story, in place of a scenario' },
    out: { value: 'FOLDER', help: 'where scenarios of the findings are written; here by default' },
    json: { short: 'j', help: 'print the result as JSON' },
    junit: JUNIT,
  },
  async act({ values, words }) {
    const { run, reset, reconcile, from: snapshot, port, max, settle: settleMs, out = '.' } = values
    mkdirSync(out, { recursive: true })
    const ignore = values.ignore.length > 0 ? values.ignore : undefined
    const state = required('--state', values.state)
    const webhookUrl = required('--webhook-url', values['webhook-url'])
    const commands = { webhookUrl, reset, state, reconcile, run }
    const story = await findStory(words, values.do)
    // The first Ctrl-C ends after the run that is under way, and shows what was found.
    const controller = new AbortController()
    const { signal } = controller
    const stop = () => controller.abort()
    process.once('SIGINT', stop)
    const site = openSite(values)
    const exploration = await exploreStory(story, {
      ...site,
      ...{ snapshot, ignore, signal, receiver: toReceiver(commands), onProgress: showProgress },
      ...{ depth: values.depth === '1' ? 1 : 2, max, settleMs, port },
    })
      .finally(() => {
        process.off('SIGINT', stop)
        if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
        return site.close()
      })
      .catch((error: unknown) => {
        throw new DomainError('conflict', messageOf(error))
      })
    const { findings } = exploration
    const name = typeof story === 'function' ? 'story' : story.name
    // A story of commands is no scenario.
    const files = typeof story === 'function' ? [] : findings.map(write(story))
    if (values.json) printJson(toJson(name, exploration, files))
    else printText(formatExploration(name, exploration, files).trimEnd())
    writeJunit(values.junit, 'explore', name, toCases(exploration))
    const seconds = (exploration.ms / 1_000).toFixed(1)
    process.stderr.write(
      `${exploration.runs} runs in ${seconds} s${signal.aborted ? ', stopped' : ''}\n`,
    )
    process.exitCode = findings.length > 0 ? 2 : signal.aborted ? 1 : 0

    /** Writes the scenario that plays a finding again. */
    function write(told: Exclude<StoryToPlay, (...args: never) => unknown>) {
      return ({ sentence, disturbances, expected }: ReceiverFinding, at: number): string => {
        const file = `${out === '.' ? '' : `${out}/`}explore-${at + 1}.js`
        const { killAfterMs } = exploration
        const disturbed = { ...commands, port, ignore, killAfterMs, disturbances, expected }
        writeOutput('--out', resolve(file), toFoundScenario({ ...told, sentence, disturbed }))
        return file
      }
    }
  },
})

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
  const found = findScenario(word)
  if (found instanceof UnknownScenario) throw invalid('scenario', found.message)
  return { ...found, scenario: await loadScenario(found.file) }
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
  const worlds = new Worlds()
  return { url: 'http://127.0.0.1', fetch: worlds.fetch, close: () => worlds.close() }
}

function toCases({ held, findings, ms }: Exploration): JunitCase[] {
  const kept = held.map(({ name, held: count, of }): JunitCase => {
    return { name, ms: ms / held.length, result: 'passed', out: `${count} of ${of}` }
  })
  const found = findings.map(({ sentence, also, expected, actual }): JunitCase => {
    const detail = JSON.stringify({ expected, actual }, null, 2)
    return { name: sentence, result: 'failure', message: sentence, detail, out: also.join('\n') }
  })
  return [...kept, ...found]
}

function showProgress({ done, of, failures }: { done: number; of: number; failures: number }) {
  if (!process.stderr.isTTY) return
  process.stderr.write(`\r${done} of ${of} runs, ${failures} failed\x1b[K`)
}
