import type { Sandbox } from '../client/client.ts'
import { connectSandbox } from '../client/connect.ts'
import { createCommand, REMOTE_OPTIONS, toPlace } from './command.ts'
import { connect } from './listen/connection.ts'
import { formatEntry, formatJsonEntry, isError, type LogSubject, timeOf } from './log/format.ts'
import { invalid } from './option-values.ts'
import { toCommandError } from './remote.ts'
import { describeTerminal, printText } from './terminal.ts'

const SHOWN_DEFAULT = '20'
const KINDS = 'request,delivery,message,action,clock,reset'

/** The log of a sandbox that runs elsewhere, as `start` prints its own. */
export const logs = createCommand({
  usage: 'logs [--follow] [options]',
  about:
    'Shows calls, webhooks, messages and simulations, each with the id that explain and webhook resend\n' +
    'take. With --follow it goes on until it is ended.\n\nramp-sandbox logs --follow',
  options: {
    follow: { short: 'f', help: 'show what happens from now on, too' },
    errors: { help: 'only what failed' },
    limit: { value: 'N', help: `how many to show first, the newest; ${SHOWN_DEFAULT} by default` },
    ...REMOTE_OPTIONS,
    json: { short: 'j', help: 'print a line of JSON for each' },
  },
  exits: { 0: 'It was asked to end, or all was shown.', 1: 'The sandbox went away.' },
  async act({ values }) {
    const limit = Number(values.limit ?? SHOWN_DEFAULT)
    if (!Number.isInteger(limit) || limit < 0) {
      throw invalid('--limit', `--limit must be 0 or more, not ${values.limit}.`)
    }
    const ending = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => ending.abort())
    }
    try {
      const place = toPlace(values)
      const sandbox = connectSandbox(place.url, place)
      const connection = connect(place, ending.signal)
      // Opened first, so that nothing is missed.
      const stream = values.follow ? await connection.follow(KINDS) : undefined
      const print = await createPrinter(sandbox, values)
      for (const subject of await readPast(sandbox, limit)) print(subject)
      if (stream === undefined) return
      for await (const { event, data } of stream) {
        print({ kind: event, row: data } as LogSubject, Date.now())
      }
      if (ending.signal.aborted) return
      printText(`ramp-sandbox: the sandbox at ${connection.url} is gone.`, process.stderr)
      process.exitCode = 1
    } catch (error) {
      throw toCommandError(error)
    }
  },
})

async function createPrinter(
  sandbox: Sandbox,
  { json, errors }: { json: boolean; errors: boolean },
) {
  const terminal = describeTerminal(process.stdout)
  const { world } = await sandbox.info()
  const users = new Map((await sandbox.users.list()).map(({ id, email }) => [id, email]))
  return function print(subject: LogSubject, at = timeOf(subject) ?? 0) {
    if (errors && !isError(subject)) return
    const entry = { world, at, subject, emailOf: (id: string) => users.get(id) }
    process.stdout.write(`${json ? formatJsonEntry(entry) : formatEntry(entry, terminal)}\n`)
  }
}

/** What happened before, the causes before their effects. */
async function readPast(sandbox: Sandbox, limit: number): Promise<LogSubject[]> {
  const [calls, actions, webhooks, messages] = await Promise.all([
    sandbox.requests.list(),
    sandbox.actions.list(),
    sandbox.webhooks.deliveries(),
    sandbox.inbox.list(),
  ])
  const all: LogSubject[] = [
    ...calls.map((row) => ({ kind: 'request' as const, row })),
    ...actions.map((row) => ({ kind: 'action' as const, row })),
    ...messages.map((row) => ({ kind: 'message' as const, row })),
    ...webhooks.map((row) => ({ kind: 'delivery' as const, row })),
  ]
  const sorted = all.sort((a, b) => (timeOf(a) ?? 0) - (timeOf(b) ?? 0))
  return limit === 0 ? [] : sorted.slice(-limit)
}
