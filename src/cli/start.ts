import { existsSync } from 'node:fs'
import { Log } from '../host/log.ts'
import { formatInstant } from '../world/duration.ts'
import { createCommand, DEFAULT_PORT, formatRows, type OptionSpecs } from './command.ts'
import { whenAskedToEnd } from './ending.ts'
import { LOG_LEVEL, LogPrinter } from './live-log.ts'
import { PROJECT_FILE, readProjectArgs } from './project-file.ts'
import { type Serving, serve } from './serving.ts'
import { SERVING_GROUPS, SERVING_OPTIONS } from './serving-options.ts'

/** Time limit for a clean end; what is still open then is dropped. */
const END_MAX_MS = 900

const OUTPUT = {
  log: {
    ...LOG_LEVEL,
    help: 'print each call, webhook and message, or errors only; all on a terminal, else off',
  },
  json: { short: 'j', help: 'print JSON: a line once it is ready, and each line of the log' },
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
  async act({ values, named }) {
    const { json } = values
    const { log: level = process.stdout.isTTY ? 'all' : 'off' } = values
    const log =
      level === 'off'
        ? undefined
        : new Log(level, new LogPrinter({ json, stream: process.stdout }).print)
    const serving = await serve({ values, named }, { log })
    const project = existsSync(PROJECT_FILE) ? PROJECT_FILE : undefined
    endWhenAsked(serving)
    // On stderr, for people who read the log of a program that parses the line of JSON.
    if (json && serving.ignored.length > 0) {
      process.stderr.write(`ramp-sandbox: ${formatIgnored(serving)}\n`)
    }
    const ready = { ...serving.ready, ...(project && { options: project }) }
    process.stdout.write(json ? `${JSON.stringify(ready)}\n` : formatReady(serving, project))
  },
})

function endWhenAsked(serving: Serving) {
  let ending = false
  whenAskedToEnd(() => {
    if (ending) process.exit(0)
    ending = true
    setTimeout(() => process.exit(0), END_MAX_MS)
    void serving.close().finally(() => process.exit(0))
  })
}

const formatIgnored = ({ ignored }: Serving) =>
  `${ignored.join(', ')}: --data holds a world already; ramp-sandbox reset starts it over`

function formatReady(serving: Serving, project: string | undefined): string {
  const { ready, info, ignored } = serving
  const rows: [string, string][] = [
    ['url', ready.url],
    ['API key', ready.apiKey],
    ['inspector', ready.dashboardUrl ?? 'off (--no-control)'],
  ]
  if (ready.controlUrl) rows.push(['reference', `${ready.controlUrl}/reference`])
  if (project) rows.push(['options', project])
  rows.push(['clock', `${info.mode}, ${formatInstant(info.now)}`])
  const repeats = 'each start or reset with it gives the same ids'
  rows.push(['fixture', `${info.fixture} (seed ${info.seed}; ${repeats})`])
  if (ready.webhookUrl) rows.push(['webhooks', ready.webhookUrl])
  if (ready.signingSecret) rows.push(['signed with', ready.signingSecret])
  if (ignored.length > 0) rows.push(['ignored', formatIgnored(serving)])
  if (info.v1.side === 'after') rows.push(['v1', info.v1.sentence.replace(/^v1 /, '')])
  return `ramp-sandbox ${ready.version} is ready\n${formatRows(rows)}`
}
