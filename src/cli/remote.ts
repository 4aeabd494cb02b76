import type { Sandbox } from '../client/client.ts'
import { connectSandbox } from '../client/connect.ts'
import { SandboxError } from '../client/error.ts'
import { DomainError } from '../world/domain-error.ts'
import { DEFAULT_PORT, type OptionSpecs, REFUSED, type Values } from './command.ts'
import { printText } from './terminal.ts'

/** Options of the commands about a sandbox that runs. */
export const REMOTE_OPTIONS = {
  url: {
    value: 'URL',
    short: 'u',
    help: `base URL of the world; RAMP_SANDBOX_URL or port ${DEFAULT_PORT} by default`,
  },
  'control-token': {
    value: 'TOKEN',
    help: 'token of the control API; RAMP_SANDBOX_CONTROL_TOKEN by default',
  },
  json: { short: 'j', help: 'print the JSON of the response' },
} as const satisfies OptionSpecs

type RemoteValues = Partial<Omit<Values<typeof REMOTE_OPTIONS>, 'json'>>

export function toPlace(values: RemoteValues) {
  const { env } = process
  const url = values.url ?? env.RAMP_SANDBOX_URL ?? `http://127.0.0.1:${DEFAULT_PORT}`
  return { url, controlToken: values['control-token'] ?? env.RAMP_SANDBOX_CONTROL_TOKEN }
}

/**
 * Runs a task on the sandbox that the options name, and turns its errors into errors of the
 * command.
 */
export async function withSandbox<Result>(
  values: RemoteValues,
  act: (sandbox: Sandbox) => Promise<Result>,
  onRefusal?: (error: SandboxError) => Result,
): Promise<Result> {
  const { url, controlToken } = toPlace(values)
  try {
    return await act(connectSandbox(url, { controlToken }))
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    if (error.status !== undefined && onRefusal !== undefined) return onRefusal(error)
    const hint = UNTRUSTED.test(error.message) ? TRUST : START
    throw new DomainError(error.status === undefined ? 'conflict' : REFUSED, error.message, {
      field: '--url',
      ...(error.code === 'unreachable' && { hint }),
    })
  }
}

/** How Node words a certificate that it does not trust. */
const UNTRUSTED = /: [A-Z_]*(CERT|SIGNATURE)[A-Z_]*\.$/
const TRUST = 'Name the certificate of the sandbox with NODE_EXTRA_CA_CERTS=FILE.'
const START = 'ramp-sandbox start starts one; --url or RAMP_SANDBOX_URL names another.'

/** Says why a sandbox refused a call; the command then ends with 1. */
export function printRefusal({ problems, message }: SandboxError): void {
  for (const problem of problems.length > 0 ? problems : [{ message }]) fail(problem.message)
}

export function fail(problem: string): void {
  printText(`ramp-sandbox: ${problem}`, process.stderr)
  process.exitCode = 1
}
