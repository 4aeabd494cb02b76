import { assertOptions } from './assert-options.ts'
import { createClient, type Sandbox } from './client.ts'
import { SandboxError } from './error.ts'
import { assertRealTicks } from './fake-timers.ts'
import type { Fetch } from './http.ts'
import { withScheme } from './local-url.ts'

const DEFAULT_KEY = 'sandbox-key'

export interface ConnectOptions {
  /** Value of `apiKey`. Default: the environment variable `RAMP_SANDBOX_API_KEY`, or else `sandbox-key`. */
  apiKey?: string | undefined
  /** The sandbox's `--control-token`. Default: `RAMP_SANDBOX_CONTROL_TOKEN`, else none. */
  controlToken?: string | undefined
  /** Used instead of the global `fetch`. */
  fetch?: Fetch | undefined
}

/** The sandbox at a URL. */
export function connectSandbox(url?: string | URL, options: ConnectOptions = {}): Sandbox {
  assertOptions('connectSandbox', options, ['apiKey', 'controlToken', 'fetch'])
  const { env } = process
  const { fetch = fetchGlobally } = options
  return createClient({
    fetch,
    controlToken: options.controlToken ?? env.RAMP_SANDBOX_CONTROL_TOKEN,
    hasSocket: true,
    url: toBase(url ?? env.RAMP_SANDBOX_URL),
    apiKey: options.apiKey ?? env.RAMP_SANDBOX_API_KEY ?? DEFAULT_KEY,
  })
}

function fetchGlobally(request: Request): Promise<Response> {
  assertRealTicks()
  return globalThis.fetch(request)
}

function toBase(url: string | URL | undefined): string {
  if (url === undefined) {
    const message = 'Give the URL of a sandbox, or set RAMP_SANDBOX_URL as ramp-sandbox exec does.'
    throw new SandboxError(message, { code: 'no-url' })
  }
  const full = withScheme(String(url))
  if (!/^https?:/i.test(full) || !URL.canParse(full)) {
    const given = url && typeof url === 'string' ? url : JSON.stringify(url)
    const message = `${given} is not a URL such as http://127.0.0.1:4100.`
    throw new SandboxError(message, { code: 'no-url' })
  }
  const { origin, pathname } = new URL(full)
  return `${origin}${pathname.replace(/\/+$/, '')}`
}
