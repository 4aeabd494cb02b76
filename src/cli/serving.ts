import { type OpenOptions, type OpenSandbox, openSandbox } from '../host/sandbox.ts'
import { DomainError } from '../world/domain-error.ts'

/** Facts that a script needs to know about a running sandbox. */
export function describeReady({ url, port, info }: OpenSandbox, options: OpenOptions) {
  const { webhookUrl, control } = options
  const controlUrl = control === false ? null : `${url}/_sandbox`
  return {
    event: 'ready',
    url,
    port,
    apiKey: info.apiKey,
    controlUrl,
    inspectorUrl: controlUrl && `${controlUrl}/`,
    version: __VERSION__,
    webhookUrl,
    ...(webhookUrl !== undefined && { signingSecret: info.signingSecret ?? '' }),
  }
}

/** Opens a sandbox for this process alone, on any free port where none is named. */
export async function serve(options: OpenOptions): Promise<OpenSandbox> {
  try {
    return await openSandbox({ ...options, overrideGlobals: true })
  } catch (error) {
    throw await toBusyError(inOptions(error), options)
  }
}

/** The world names fields, and the command line the options that gave them. */
function inOptions(error: unknown): unknown {
  if (!(error instanceof DomainError) || error.detail.field !== 'clock') return error
  return new DomainError(error.code, `--${error.message}`, error.detail)
}

const RESPONSE_MAX_MS = 1_000

const OTHER_PORT =
  'With another port, other commands need --url, or RAMP_SANDBOX_URL in the environment.'

/**
 * Explains a taken port, and names the other sandbox if it is one. Other errors stay as they are.
 */
async function toBusyError(error: unknown, options: OpenOptions): Promise<unknown> {
  if (!(error instanceof DomainError) || error.code !== 'EADDRINUSE') return error
  const { host = '127.0.0.1', port = 0 } = options
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const signal = AbortSignal.timeout(RESPONSE_MAX_MS)
  const health = await fetch(`${url}/_sandbox/health`, { signal })
    .then((response) => response.json() as Promise<{ status: string; version: string }>)
    .catch(() => undefined)
  if (health?.status !== 'ok') {
    return new DomainError(error.code, error.message, { field: 'port', hint: OTHER_PORT })
  }
  const message = `Port ${port} is taken by another ramp-sandbox (${health.version}), which responds at ${url}.`
  const hint = `Use that one, stop it, or choose another port with --port (0 for any free one). ${OTHER_PORT}`
  return new DomainError('conflict', message, { field: 'port', hint })
}
