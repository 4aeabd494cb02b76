import { nanoid } from 'nanoid'
import type { Sandbox } from '../client/client.ts'
import type { Played } from '../control-api/plays.ts'
import { createSandbox } from '../host/create-sandbox.ts'
import {
  allScenarios,
  findScenario,
  type Listed,
  listScenarios,
  playScenario,
  UnknownScenario,
} from '../scenario/play.ts'
import { messageOf } from '../world/domain-error.ts'
import { createCommand, formatRows, type OptionSpecs, type Values } from './command.ts'
import { JUNIT, writeJunit } from './junit.ts'
import { invalid, LENGTH, SETTINGS_FILE, TOKEN, WEBHOOK_URL } from './option-values.ts'
import { Escapes } from './play-escapes.ts'
import { createReporter, sends, type TimedPlay, toJunitCase } from './play-report.ts'
import { toPlace, withSandbox } from './remote.ts'
import { printJson, printText } from './terminal.ts'

const EXIT_CODES: Record<Played['outcome'], number> = { passed: 0, failed: 1, broken: 2 }

const OPTIONS = {
  all: { help: 'play all built-in scenarios' },
  url: { value: 'URL', help: 'play in a running sandbox instead of starting one' },
  'control-token': { ...TOKEN, help: 'control token of that sandbox' },
  settings: {
    ...SETTINGS_FILE,
    help: 'settings for the new sandbox',
  },
  'webhook-url': { ...WEBHOOK_URL, help: 'also send events here; each must be acknowledged' },
  timeout: { ...LENGTH, help: 'time limit for a step; 30s by default' },
  json: { short: 'j', help: 'print the steps, deliveries and problems as JSON' },
  junit: JUNIT,
} as const satisfies OptionSpecs

export const play = createCommand({
  usage: 'play [NAME|FILE]… [options]',
  about:
    'play scenarios, each in a fresh world with a frozen clock; without a name, list them\n\n' +
    'exit with 1 if an expectation failed or the receiver at --webhook-url did not acknowledge every webhook, and with 2 if a scenario could not be played',
  words: true,
  exits: {
    0: 'All passed.',
    1: 'An expectation failed, or the receiver at --webhook-url got no webhook or did not acknowledge one.',
    2: 'A scenario could not be played, or the command line is wrong.',
  },
  options: OPTIONS,
  async act({ values, words, named }) {
    const [word] = words
    if (values.all && word !== undefined) {
      throw invalid(word, `play takes --all or scenarios, not both; unexpected: ${word}.`)
    }
    if (values['control-token'] !== undefined && values.url === undefined) {
      throw invalid('--control-token', '--control-token needs --url URL.')
    }
    const listed = values.all ? allScenarios() : words.map(find)
    if (listed.length === 0) {
      const [unused] = named.filter((name) => name !== 'json')
      if (unused === undefined) return printList(values.json)
      throw invalid(`--${unused}`, `play --${unused} needs a scenario, or --all.`)
    }
    const { 'webhook-url': webhookUrl = null } = values
    const reporter = createReporter(webhookUrl, { isSilent: values.json })
    const escapes = new Escapes()
    const plays = await playAll(listed, { values, reporter, escapes })
    reporter.sum(plays)
    if (values.json) printJson({ scenarios: plays.map(({ played }) => played) })
    const unasked = findUnasked(plays, webhookUrl)
    const others = [...unasked, ...escapes.late]
    for (const { message } of others) {
      if (values.json) process.stderr.write(`ramp-sandbox: ${message}\n`)
      else printText(message)
    }
    writeJunit(values.junit, [...plays.map(toJunitCase), ...others])
    const codes = plays.map(({ played }) => EXIT_CODES[played.outcome])
    const late = escapes.late.map(() => EXIT_CODES.broken)
    process.exitCode = Math.max(...codes, unasked.length, ...late)
    // A scenario may leave timers behind, which would keep this process alive.
    process.stdout.write('', () => process.exit())
  },
})

interface Playing {
  values: Values<typeof OPTIONS>
  reporter: ReturnType<typeof createReporter>
  escapes: Escapes
}

/** Plays scenarios one after another, in worlds of the sandbox that was named or of a new one. */
async function playAll(listed: readonly Listed[], playing: Playing): Promise<TimedPlay[]> {
  const { values, escapes } = playing
  const { url } = values
  if (url === undefined) return await play(await openOwn(values))
  if (values.settings !== undefined) {
    throw invalid(
      '--settings',
      'play --url uses a running sandbox, so it cannot be combined with --settings.',
    )
  }
  return await withSandbox({ ...values, url: url.replace(/\/w\/[^/]*\/?$/, '') }, play)

  async function play(sandbox: Sandbox) {
    escapes.start()
    try {
      // If nothing responds, the scenario is not to blame.
      await sandbox.clock.read()
      const played: TimedPlay[] = []
      for (const each of listed) played.push(await playOne(each, { ...playing, sandbox }))
      return played
    } finally {
      await sandbox.close()
      escapes.stop()
    }
  }
}

async function openOwn({ settings, 'webhook-url': webhookUrl }: Playing['values']) {
  const allowWebhookHosts = webhookUrl === undefined ? [] : [new URL(webhookUrl).host]
  return createSandbox({ settings, allowWebhookHosts }).catch((error: unknown) => {
    throw invalid('--settings', messageOf(error))
  })
}

async function playOne(
  listed: Listed,
  { values, reporter, escapes, sandbox }: Playing & { sandbox: Sandbox },
): Promise<TimedPlay> {
  const { 'webhook-url': webhookUrl = null, timeout: stepMaxMs } = values
  const controlToken = values.url === undefined ? null : (toPlace(values).controlToken ?? null)
  // A scenario resets and deletes its world, so a shared sandbox needs a new one.
  const { url, close, fetch } = sandbox.world(`play-${nanoid(12)}`)
  const startedAt = performance.now()
  reporter.begin(listed.name)
  const played = await playScenario(
    { ...listed, url, webhookUrl, controlToken },
    { stepMaxMs, onEvent: reporter.follow, fetch, escaped: escapes.watch(listed) },
  )
  reporter.end(played)
  await close()
  return { played, ms: performance.now() - startedAt }
}

/** An endpoint to which no scenario sent a webhook has acknowledged nothing. */
function findUnasked(plays: readonly TimedPlay[], webhookUrl: string | null) {
  if (webhookUrl === null || plays.some(({ played }) => sends(played, webhookUrl))) return []
  const message = `No webhooks were sent to ${webhookUrl}.`
  return [{ name: webhookUrl, result: 'error' as const, message }]
}

function find(word: string): Listed {
  const found = findScenario(word)
  if (!(found instanceof UnknownScenario)) return found
  const hint =
    'ramp-sandbox play lists the scenarios. To play a file, give its path, such as ./mine.js.'
  throw invalid('scenario', found.message, hint)
}

async function printList(asJson: boolean) {
  const all = await listScenarios()
  const rows = all.map(({ name, title }): [string, string] => [name, title])
  if (asJson) printJson(all)
  else process.stdout.write(formatRows(rows))
}
