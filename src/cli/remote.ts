import type { Sandbox } from '../client/client.ts'
import { connectSandbox } from '../client/connect.ts'
import { SandboxError } from '../client/error.ts'
import { realTime } from '../real-time.ts'
import { DomainError, messageOf } from '../world/domain-error.ts'
import { DEFAULT_PORT, type OptionSpecs, REFUSED, type Values } from './command.ts'
import { TOKEN } from './option-values.ts'
import { printText } from './terminal.ts'

/** Options of the commands about a sandbox that runs. */
export const REMOTE_OPTIONS = {
  url: {
    value: 'URL',
    short: 'u',
    help: `base URL of the world; RAMP_SANDBOX_URL or port ${DEFAULT_PORT} by default`,
  },
  'control-token': {
    ...TOKEN,
    help: 'token of the control API; RAMP_SANDBOX_CONTROL_TOKEN by default',
  },
  json: { short: 'j', help: 'print the response as JSON' },
} as const satisfies OptionSpecs

interface RemoteValues extends Partial<Omit<Values<typeof REMOTE_OPTIONS>, 'json'>> {
  /** Option that gave the URL. Default: `--url`. */
  option?: string
  /** Time to wait for a sandbox to respond, in ms. */
  wait?: unknown
  /** Set if a sandbox in this process will do, where none runs and none was named. */
  worksAlone?: true | undefined
}

export function toPlace(values: RemoteValues) {
  const { env } = process
  const url = values.url ?? (env.RAMP_SANDBOX_URL || `http://127.0.0.1:${DEFAULT_PORT}`)
  // The URL of the control API, as `info` shows it, means the same.
  return {
    url: url.replace(/\/_sandbox\/?$/, ''),
    controlToken: values['control-token'] ?? env.RAMP_SANDBOX_CONTROL_TOKEN,
  }
}

/** The sandbox that the options name, which need not run. */
export function connect(values: RemoteValues): Sandbox {
  const { url, controlToken } = toPlace(values)
  try {
    return connectSandbox(url, { controlToken })
  } catch (error) {
    const { option = values.url === undefined ? 'RAMP_SANDBOX_URL' : '--url' } = values
    throw new DomainError('invalid', `${option}: ${messageOf(error)}`, { field: option })
  }
}

export const SET_TOKEN = 'Set --control-token or RAMP_SANDBOX_CONTROL_TOKEN.'

/**
 * Runs a task on the sandbox that the options name, and turns its errors into errors of the
 * command.
 */
export async function withSandbox<Result>(
  values: RemoteValues,
  act: (sandbox: Sandbox) => Promise<Result>,
  onRefusal?: (error: SandboxError) => Result,
): Promise<Result> {
  const sandbox = connect(values)
  try {
    if (values.wait !== undefined) await untilHealthy(sandbox, Number(values.wait))
    return await act(sandbox)
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    const isNamed = Boolean(values.url ?? process.env.RAMP_SANDBOX_URL)
    if (values.worksAlone && error.code === 'unreachable' && !isNamed) return await actAlone(act)
    if (error.status !== undefined && onRefusal !== undefined) return onRefusal(error)
    const { option = '--url' } = values
    const start = option === '--url' ? START : `Run ramp-sandbox start, or correct ${option}.`
    const hint = TLS_HINTS.find(([codes]) => codes.test(error.message))?.[1] ?? start
    const isToken = error.code === 'control-token'
    const message = isToken ? error.message.replace(` ${error.hint}`, '') : error.message
    throw new DomainError(error.status === undefined ? 'conflict' : REFUSED, message, {
      field: option,
      ...(error.code === 'unreachable' && { hint }),
      ...(isToken && { hint: SET_TOKEN }),
    })
  }
}

const HEALTH_POLL_MS = 100

/** Asks again until a sandbox responds; throws once the time is over. */
async function untilHealthy({ url, control }: Sandbox, waitMs: number): Promise<void> {
  const signal = AbortSignal.timeout(waitMs)
  let why = `${url} does not respond.`
  while (!signal.aborted) {
    try {
      await control('GET', '/health', { signal })
      return
    } catch (error) {
      if (signal.aborted) break
      if (!(error instanceof SandboxError && error.code === 'unreachable')) throw error
      why = error.message
    }
    await realTime.pause(HEALTH_POLL_MS)
  }
  const message = `Gave up after ${waitMs / 1_000} s. ${why}`
  throw new SandboxError(message, { code: 'timeout', status: 0 })
}

/** Runs a task that only reads on a sandbox of this process. */
async function actAlone<Result>(act: (sandbox: Sandbox) => Promise<Result>): Promise<Result> {
  const { createSandbox } = await import('../host/create-sandbox.ts')
  await using sandbox = await createSandbox({ listen: false })
  return await act(sandbox)
}

/** Hints for the codes of Node for TLS: a certificate that it does not trust, and none at all. */
const TLS_HINTS: readonly (readonly [RegExp, string])[] = [
  [
    /: [A-Z_]*(CERT|SIGNATURE)[A-Z_]*\.$/,
    'Set NODE_EXTRA_CA_CERTS=FILE to the certificate of the sandbox.',
  ],
  [
    /: ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)\.$/,
    'This port does not speak TLS: use http://.',
  ],
]
const START = 'Run ramp-sandbox start, or set --url or RAMP_SANDBOX_URL.'

export function fail(problem: string): void {
  printText(`ramp-sandbox: ${problem}`, process.stderr)
  process.exitCode = 1
}
