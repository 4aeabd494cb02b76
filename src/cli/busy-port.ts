import { createControl } from '../client/control.ts'
import { createHttpClient, type Json } from '../client/http.ts'
import { DomainError } from '../world/domain-error.ts'

const ANSWER_MAX_MS = 1_000

/** A port that is taken: by which program, where that is another sandbox. Other errors stay. */
export async function toBusyError(
  error: unknown,
  { host = '127.0.0.1', port }: { host?: string | undefined; port: number },
): Promise<unknown> {
  if (!(error instanceof DomainError) || error.code !== 'EADDRINUSE') return error
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const version = await askVersion(url)
  if (version === undefined) return error
  const message = `Port ${port} is taken by another ramp-sandbox (${version}), which answers at ${url}.`
  const hint = 'Use that one, end it, or choose another port with --port (0 for any free one).'
  return new DomainError('conflict', message, { field: 'port', ...error.detail, hint })
}

/** What a sandbox says of itself, also without its control token. */
async function askVersion(url: string): Promise<string | undefined> {
  const signal = AbortSignal.timeout(ANSWER_MAX_MS)
  const control = createControl(createHttpClient({ url }))
  const answer = await control.call<Json>('GET', '/health', { signal }).catch(() => undefined)
  return answer?.status === 'ok' ? answer.version : undefined
}
