import { spawn } from 'node:child_process'
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { messageOf } from '../world/domain-error.ts'
import { formatInstant } from '../world/duration.ts'
import { createCommand, DEFAULT_PORT, formatRows, type OptionSpecs } from './command.ts'
import { whenAskedToEnd } from './ending.ts'
import { LOG_LEVEL, openLog } from './live-log.ts'
import { invalid, orInvalid } from './option-values.ts'
import { PROJECT_FILE, readProjectArgs } from './project-file.ts'
import { type Serving, serve } from './serving.ts'
import { SERVING_GROUPS, SERVING_OPTIONS } from './serving-options.ts'
import { printText } from './terminal.ts'
import { assertWatchable, formatReloaded, type Reloaded, watchFiles } from './watch.ts'

/** Time limit for a clean end; what is still open then is dropped. */
const END_MAX_MS = 900

const OUTPUT = {
  'ready-file': { value: 'FILE', help: 'write the line of --json to this file once it is ready' },
  watch: {
    help: 'reload a fixture or settings file when it changes, and keep webhook URLs and the clock',
  },
  open: { short: 'o', help: 'open the inspector in a browser' },
  log: {
    ...LOG_LEVEL,
    help: 'print each call, webhook and message, or errors only; all on a terminal, else off',
  },
  json: { short: 'j', help: 'print JSON: a line once it is ready, and each line of the log' },
  quiet: { short: 'q', help: 'print nothing for people' },
} as const satisfies OptionSpecs

/** Platforms set PORT for a server; `exec` leaves it to the command that it runs. */
const OWN_PORT = {
  port: {
    ...SERVING_OPTIONS.port,
    env: 'PORT',
    standard: String(DEFAULT_PORT),
    help: 'the port; 0 takes any free one',
  },
} as const satisfies OptionSpecs

export const start = createCommand({
  usage: 'start [options]',
  about:
    'Starts a sandbox, says when it is ready, and keeps it running until SIGINT, SIGTERM or SIGHUP.',
  options: { ...SERVING_OPTIONS, ...OWN_PORT, ...OUTPUT },
  groups: {
    ...SERVING_GROUPS,
    Network: { ...SERVING_GROUPS.Network, ...OWN_PORT },
    Output: OUTPUT,
  },
  exits: { 0: 'Stopped on request.' },
  fromEnv: true,
  fromProject: () => readProjectArgs({ ...SERVING_OPTIONS, ...OWN_PORT }),
  async act({ values, named, texts, again }) {
    if (values.watch) assertWatchable(texts)
    const readyFile = values['ready-file']
    const { port, json, quiet } = values
    const { log: level = process.stdout.isTTY && !quiet ? 'all' : 'off' } = values
    const log = openLog(level, { json, stream: process.stdout })
    // A file left by an earlier start would claim that this one is ready.
    if (readyFile) orInvalid('--ready-file', UNWRITABLE, () => rmSync(readyFile, { force: true }))
    const serving = await serve({ values: { ...values, port }, named }, { log })
    const project = existsSync(PROJECT_FILE) ? PROJECT_FILE : undefined
    endWhenAsked(serving, readyFile)
    if (values.watch) {
      const say = (reloaded: Reloaded) => {
        const line = JSON.stringify({ event: 'reloaded', ...reloaded })
        if (json || !quiet) printText(json ? line : formatReloaded(reloaded))
      }
      watchFiles({ texts, again, serving, say })
    }
    if (readyFile) await writeReadyFile(serving, readyFile)
    // On stderr, for people who read the log of a program that parses the line of JSON.
    if (json && serving.ignored.length > 0) {
      process.stderr.write(`ramp-sandbox: ${formatIgnored(serving)}\n`)
    }
    const ready = { ...serving.ready, ...(project && { options: project }) }
    if (json) process.stdout.write(`${JSON.stringify(ready)}\n`)
    else if (!quiet) process.stdout.write(formatReady(serving, project))
    const { dashboardUrl } = serving.ready
    if (values.open && dashboardUrl) openInBrowser(dashboardUrl)
  },
})

function endWhenAsked(serving: Serving, readyFile: string | undefined) {
  let ending = false
  whenAskedToEnd(() => {
    if (ending) exit()
    ending = true
    setTimeout(exit, END_MAX_MS)
    void serving.close().finally(exit)
  })

  function exit(): never {
    if (readyFile) rmSync(readyFile, { force: true })
    process.exit(0)
  }
}

const UNWRITABLE = '--ready-file cannot be written'

/** Renamed into place, so that no reader sees half of it. */
async function writeReadyFile(serving: Serving, file: string) {
  const written = `${file}.${process.pid}`
  try {
    writeFileSync(written, `${JSON.stringify(serving.ready)}\n`)
    renameSync(written, file)
  } catch (error) {
    await serving.close()
    throw invalid('--ready-file', `${UNWRITABLE}: ${messageOf(error)}.`)
  }
}

const formatIgnored = ({ ignored }: Serving) =>
  `${ignored.join(', ')}: the data file holds a world already; ramp-sandbox reset starts it over`

function formatReady(serving: Serving, project: string | undefined): string {
  const { ready, info, ignored, tls } = serving
  const rows: [string, string][] = [
    ['url', ready.url],
    ['API key', ready.apiKey],
    ['inspector', ready.dashboardUrl ?? 'off (--no-control)'],
  ]
  if (ready.controlUrl) rows.push(['reference', `${ready.controlUrl}/reference`])
  if (tls) {
    const trust = `; clients trust it with NODE_EXTRA_CA_CERTS=${tls.certFile}`
    rows.push(['certificate', `${tls.certFile}${tls.isSelfSigned ? trust : ''}`])
    rows.push(['SHA-256', tls.fingerprint])
  }
  if (project) rows.push(['options', project])
  rows.push(['clock', `${info.mode}, ${formatInstant(info.now)}`])
  const repeats = 'each start or reset with it gives the same ids'
  rows.push(['fixture', `${info.fixture} (seed ${info.seed}; ${repeats})`])
  if (ready.webhookUrl) rows.push(['webhooks', ready.webhookUrl])
  if (ready.v1WebhookUrl) rows.push(['v1 webhooks', ready.v1WebhookUrl])
  if (ready.signingSecret) rows.push(['signed with', ready.signingSecret])
  if (info.preset !== 'default') {
    const meaning = 'the strictest reading of the contract, except what is set one by one'
    rows.push(['preset', `${info.preset}: ${meaning}`])
  }
  if (ignored.length > 0) rows.push(['ignored', formatIgnored(serving)])
  if (info.v1.side === 'after') rows.push(['v1', info.v1.sentence.replace(/^v1 /, '')])
  return `ramp-sandbox ${ready.version} is ready\n${formatRows(rows)}`
}

/** Opens a URL in the browser. A start goes on without one. */
function openInBrowser(url: string): void {
  const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer' }
  const opener = openers[process.platform] ?? 'xdg-open'
  const child = spawn(opener, [url], { stdio: 'ignore', detached: true })
  child.on('error', ({ message }) => {
    process.stderr.write(`ramp-sandbox: no browser could be opened (${message}); open ${url}\n`)
  })
  child.unref()
}
