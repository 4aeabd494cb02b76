import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { messageOf } from '../world/domain-error.ts'
import { formatInstant } from '../world/duration.ts'
import { createCommand, DEFAULT_PORT, formatRows } from './command.ts'
import { type LiveLog, openLog } from './live-log.ts'
import { invalid, orInvalid, toPort } from './option-values.ts'
import { watchParent } from './parent.ts'
import { SERVING_OPTIONS, type Serving, START_GROUPS, serve } from './serving.ts'
import type { Tls } from './tls.ts'

/** Longest that an end may take; whatever is open then is dropped. */
const END_MAX_MS = 900

export const start = createCommand({
  usage: 'start [options]',
  about:
    'Starts a sandbox, says when it answers, and keeps it running until SIGINT, SIGTERM or SIGHUP.',
  options: {
    port: { value: 'PORT', short: 'p', help: `${DEFAULT_PORT} by default; 0 takes any free one` },
    ...SERVING_OPTIONS,
    'ready-file': { value: 'FILE', help: 'a file to write once it answers, as --json prints it' },
    open: { short: 'o', help: 'open the inspector in a browser' },
    log: {
      value: 'LEVEL',
      help: 'a line per call, webhook and message: all (on a terminal), errors or off (elsewhere)',
    },
    json: { short: 'j', help: 'print JSON: a line once it answers, and each line of the log' },
    quiet: { short: 'q', help: 'print nothing for people' },
  },
  groups: START_GROUPS,
  exits: { 0: 'It was asked to end.' },
  async act({ values }) {
    const port = toPort(values.port ?? String(DEFAULT_PORT))
    const readyFile = values['ready-file']
    const { log: level = process.stdout.isTTY && !values.quiet ? 'all' : 'off', json } = values
    const log = openLog(level, { json, stream: process.stdout })
    if (readyFile) removeReadyFile(readyFile)
    const serving = await serve(values, port, log)
    endWhenAsked(serving, { readyFile, log })
    if (readyFile) await writeReadyFile(serving, readyFile)
    // On stderr, for people who read the log of a program that parses the line of JSON.
    if (values.json && serving.ignored.length > 0) {
      process.stderr.write(`ramp-sandbox: ${formatIgnored(serving)}\n`)
    }
    if (values.json) process.stdout.write(`${JSON.stringify(serving.ready)}\n`)
    else if (!values.quiet) process.stdout.write(formatReady(serving))
    const { dashboardUrl } = serving.ready
    // Loaded only where it is asked for.
    if (values.open && dashboardUrl) (await import('./open.ts')).openInBrowser(dashboardUrl)
  },
})

interface EndOptions {
  readyFile: string | undefined
  log: LiveLog | undefined
}

function endWhenAsked(serving: Serving, { readyFile, log }: EndOptions) {
  let ending = false
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  process.on('SIGHUP', end)
  watchParent(end)

  function end() {
    if (ending) exit()
    ending = true
    setTimeout(exit, END_MAX_MS)
    void serving.close().finally(exit)
  }

  function exit(): never {
    if (readyFile) rmSync(readyFile, { force: true })
    log?.end()
    process.exit(0)
  }
}

/** One of an earlier start would say that this one answers. */
function removeReadyFile(file: string) {
  orInvalid('--ready-file', '--ready-file cannot be written', () => rmSync(file, { force: true }))
}

/** Renamed into place, so that no reader sees half of it. */
async function writeReadyFile(serving: Serving, file: string) {
  const written = `${file}.${process.pid}`
  try {
    writeFileSync(written, `${JSON.stringify(serving.ready)}\n`)
    renameSync(written, file)
  } catch (error) {
    await serving.close()
    throw invalid('--ready-file', `--ready-file cannot be written: ${messageOf(error)}.`)
  }
}

const formatIgnored = ({ ignored }: Serving) =>
  `${ignored.join(', ')}: the data file holds a world already; POST /_sandbox/reset starts it anew`

function formatTls({ certFile, fingerprint, isSelfSigned }: Tls): [string, string][] {
  const trust = isSelfSigned ? `; clients trust it with NODE_EXTRA_CA_CERTS=${certFile}` : ''
  return [
    ['certificate', `${certFile}${trust}`],
    ['SHA-256', fingerprint],
  ]
}

function formatReady(serving: Serving): string {
  const { ready, info, ignored, tls } = serving
  const rows: [string, string][] = [
    ['url', ready.url],
    ['API key', ready.apiKey],
    ['inspector', ready.dashboardUrl ?? 'off (--no-control)'],
  ]
  if (ready.controlUrl) rows.push(['reference', `${ready.controlUrl}/reference`])
  if (tls) rows.push(...formatTls(tls))
  rows.push(['clock', `${info.mode}, ${formatInstant(info.now)}`])
  rows.push(['fixture', `${info.fixture} (seed ${info.seed})`])
  if (ready.webhookUrl) rows.push(['webhooks', ready.webhookUrl])
  if (ready.v1WebhookUrl) rows.push(['v1 webhooks', ready.v1WebhookUrl])
  if (ready.signingSecret) rows.push(['signed with', ready.signingSecret])
  if (info.preset !== 'default') {
    const meaning = 'the strictest reading of the contract, save what is set one by one'
    rows.push(['preset', `${info.preset}: ${meaning}`])
  }
  if (ignored.length > 0) rows.push(['ignored', formatIgnored(serving)])
  if (info.v1.side === 'after') rows.push(['v1', info.v1.sentence])
  return `ramp-sandbox ${ready.version} is ready\n${formatRows(rows)}`
}
