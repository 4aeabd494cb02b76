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
import { createCommand, formatRows } from './command.ts'
import { JUNIT, writeJunit } from './junit.ts'
import { invalid, LENGTH, SETTINGS_FILE, WEBHOOK_URL } from './option-values.ts'
import { createReporter, sends, type TimedPlay, toJunitCase } from './play-report.ts'
import { toPlace, withSandbox } from './remote.ts'
import { printJson, printText } from './terminal.ts'

const EXIT_CODES: Record<Played['outcome'], number> = { passed: 0, failed: 1, broken: 2 }

export const play = createCommand({
  usage: 'play [NAME|FILE]… [options]',
  about:
    'Plays scenarios, each in a fresh world with a frozen clock; without a name, lists them.\n' +
    'Ends with 1 when an expectation failed, and with 2 when a scenario does not work at all.',
  words: true,
  exits: {
    0: 'All passed.',
    1: 'An expectation failed, or no webhook was sent to --webhook-url.',
    2: 'A scenario does not work, or the command line is wrong.',
  },
  options: {
    all: { help: 'play all that come with the sandbox' },
    url: { value: 'URL', help: 'play in worlds of a running sandbox, not of a new one' },
    'control-token': { value: 'TOKEN', help: 'control token of that sandbox' },
    settings: {
      ...SETTINGS_FILE,
      help: 'settings for the new sandbox',
    },
    'webhook-url': { ...WEBHOOK_URL, help: 'also send events here; each must be acknowledged' },
    timeout: { ...LENGTH, help: 'longest that one step may take; 30s by default' },
    json: { short: 'j', help: 'print every request, response and delivery, the same in every run' },
    junit: JUNIT,
  },
  async act({ values, words }) {
    const listed = values.all ? allScenarios() : words.map(find)
    if (listed.length === 0) return printList(values.json)
    const { 'webhook-url': webhookUrl = null, timeout: stepMaxMs, url, settings } = values
    if (url !== undefined && settings !== undefined) {
      throw invalid('--settings', 'play --url uses a sandbox that runs, so it takes no --settings.')
    }
    const reporter = createReporter(webhookUrl, { isSilent: values.json })
    const controlToken = url === undefined ? null : (toPlace(values).controlToken ?? null)
    const plays =
      url === undefined
        ? await playAll(await openOwn())
        : await withSandbox({ ...values, url: url.replace(/\/w\/[^/]*\/?$/, '') }, playAll)
    reporter.sum(plays)
    if (values.json) printJson({ scenarios: plays.map(({ played }) => played) })
    const unasked = findUnasked(plays, webhookUrl)
    for (const { message } of unasked) {
      if (values.json) process.stderr.write(`ramp-sandbox: ${message}\n`)
      else printText(message)
    }
    writeJunit(values.junit, [...plays.map(toJunitCase), ...unasked])
    const codes = plays.map(({ played }) => EXIT_CODES[played.outcome])
    process.exitCode = Math.max(...codes, unasked.length)

    async function openOwn() {
      const allowWebhookHosts = webhookUrl === null ? [] : [new URL(webhookUrl).host]
      return createSandbox({ settings, allowWebhookHosts }).catch((error: unknown) => {
        throw invalid('--settings', messageOf(error))
      })
    }

    async function playAll(sandbox: Sandbox) {
      try {
        // If nothing responds, the scenario is not to blame.
        await sandbox.clock.read()
        const played: TimedPlay[] = []
        for (const each of listed) played.push(await playOne(each, sandbox))
        return played
      } finally {
        await sandbox.close()
      }
    }

    async function playOne({ name, file }: Listed, sandbox: Sandbox): Promise<TimedPlay> {
      // A scenario resets and deletes its world, so a shared sandbox needs a new one.
      const { url, close, fetch } = sandbox.world(`play-${nanoid(12)}`)
      const startedAt = performance.now()
      reporter.begin(name)
      const request = { name, file, url, webhookUrl, controlToken }
      const played = await playScenario(request, { stepMaxMs, onEvent: reporter.follow, fetch })
      reporter.end(played)
      await close()
      return { played, ms: performance.now() - startedAt }
    }
  },
})

/** An endpoint to which no scenario sent a webhook has acknowledged nothing. */
function findUnasked(plays: readonly TimedPlay[], webhookUrl: string | null) {
  if (webhookUrl === null || plays.some(({ played }) => sends(played, webhookUrl))) return []
  const message = `No webhook was sent to ${webhookUrl}, so nothing is known of it.`
  return [{ name: webhookUrl, result: 'error' as const, message }]
}

function find(word: string): Listed {
  const found = findScenario(word)
  if (!(found instanceof UnknownScenario)) return found
  const hint = 'ramp-sandbox play lists them; a file is named with its path, as in ./mine.js.'
  throw invalid('scenario', found.message, hint)
}

async function printList(asJson: boolean) {
  const all = await listScenarios()
  const rows = all.map(({ name, title }): [string, string] => [name, title])
  if (asJson) printJson(all)
  else process.stdout.write(formatRows(rows))
}
