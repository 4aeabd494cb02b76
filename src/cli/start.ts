import { existsSync } from 'node:fs'
import { Log } from '../host/log.ts'
import type { OpenSandbox } from '../host/sandbox.ts'
import { formatInstant } from '../world/duration.ts'
import { createCommand, formatRows } from './command.ts'
import { whenAskedToEnd } from './ending.ts'
import { LogPrinter } from './live-log.ts'
import { PROJECT_FILE, readOutside } from './outside-options.ts'
import { describeReady, serve } from './serving.ts'
import { START_GROUPS, START_OPTIONS, toStartOptions } from './serving-options.ts'

/** Time limit for a clean end; what is still open then is dropped. */
const END_MAX_MS = 900

export const start = createCommand({
  usage: 'start [options]',
  about:
    'start a sandbox, print its URL once it is ready, and keep it running until Ctrl-C or SIGTERM',
  options: START_OPTIONS,
  groups: START_GROUPS,
  exits: { 0: 'stopped on request', 2: 'wrong usage, or the sandbox could not start (see stderr)' },
  outside: readOutside,
  async act({ values, named }) {
    const { json, port, data } = values
    const { log: level = process.stdout.isTTY ? 'all' : 'off' } = values
    const printer = new LogPrinter({ json, stream: process.stdout })
    const log = level === 'off' ? undefined : new Log(level, printer.print)
    const options = { ...toStartOptions(values), port, data, log }
    const sandbox = await serve(options)
    const project = existsSync(PROJECT_FILE) ? PROJECT_FILE : undefined
    endWhenAsked(sandbox)
    const ready = { ...describeReady(sandbox, options), ...(project && { options: project }) }
    const ignored = sandbox.isKept ? describeIgnored(named) : undefined
    // On stderr, for people who read the log of a program that parses the line of JSON.
    if (json && ignored) process.stderr.write(`ramp-sandbox: ignored ${ignored}\n`)
    process.stdout.write(
      json ? `${JSON.stringify(ready)}\n` : formatReady(ready, { ...sandbox, ignored }),
    )
  },
})

function endWhenAsked(sandbox: OpenSandbox) {
  let ending = false
  whenAskedToEnd(() => {
    if (ending) process.exit(0)
    ending = true
    setTimeout(() => process.exit(0), END_MAX_MS)
    void sandbox.close().finally(() => process.exit(0))
  })
}

/** Options that say how a world starts. */
const STARTING_OPTIONS = ['fixture', 'seed', 'clock', 'contract-only', 'settings', 'set']

/** Start options that were ignored, because `--data` already holds the world. */
function describeIgnored(named: readonly string[]): string | undefined {
  const ignored = STARTING_OPTIONS.filter((name) => named.includes(name))
  if (ignored.length === 0) return undefined
  const options = ignored.map((name) => `--${name}`).join(', ')
  return `${options}, because --data already holds a world; ramp-sandbox reset starts it over`
}

type Ready = ReturnType<typeof describeReady> & { options?: string }

function formatReady(
  ready: Ready,
  { info, ignored }: Pick<OpenSandbox, 'info'> & { ignored: string | undefined },
): string {
  const rows: [string, string][] = [
    ['url', ready.url],
    ['API key', ready.apiKey],
    ['inspector', ready.inspectorUrl ?? 'off (--no-control)'],
  ]
  if (ready.controlUrl) rows.push(['reference', `${ready.controlUrl}/reference`])
  if (ready.options) rows.push(['options', ready.options])
  rows.push(['clock', `${info.mode}, ${formatInstant(info.now)}`])
  rows.push(['fixture', `${info.fixture} (seed ${info.seed})`])
  if (ready.webhookUrl) rows.push(['webhooks', ready.webhookUrl])
  if (ready.signingSecret) rows.push(['signed with', ready.signingSecret])
  if (ignored) rows.push(['ignored', ignored])
  if (info.v1.side === 'after') rows.push(['v1', info.v1.sentence.replace(/^v1 /, '')])
  return `ramp-sandbox ${ready.version} is ready\n${formatRows(rows)}`
}
