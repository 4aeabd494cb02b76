import type { Policy } from '../world/settings/index.ts'
import type { AppOptions } from './app.ts'
import { type HttpRefusal, headersOf } from './status.ts'

/** Refuses a call outside of any world, in the words of the dialect that its path belongs to. */
export function refuseOutside(
  path: string,
  refusal: HttpRefusal,
  { dialects, policy }: Pick<AppOptions, 'dialects'> & { policy: Policy },
): Response {
  const { dialect } =
    dialects.find(({ prefix }) => path.startsWith(prefix)) ?? dialects.at(-1) ?? {}
  const body = dialect?.refusal(refusal, refusal.status, policy)
  const headers = { 'content-type': dialect?.refusalType ?? 'text/plain', ...headersOf(refusal) }
  return new Response(JSON.stringify(body), { status: refusal.status, headers })
}
