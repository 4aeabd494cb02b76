import type { Settings } from '../world/settings/index.ts'
import type { AppOptions } from './app.ts'
import { type HttpError, headersOf } from './status.ts'

/** Refuses a call outside of any world, in the words of the dialect that its path belongs to. */
export function refuseOutside(
  path: string,
  refusal: HttpError,
  { dialects, settings }: Pick<AppOptions, 'dialects'> & { settings: Settings },
): Response {
  const { dialect } =
    dialects.find(({ prefix }) => path.startsWith(prefix)) ?? dialects.at(-1) ?? {}
  const body = dialect?.refusal(refusal, refusal.status, settings)
  const headers = { 'content-type': dialect?.errorType ?? 'text/plain', ...headersOf(refusal) }
  return new Response(JSON.stringify(body), { status: refusal.status, headers })
}
