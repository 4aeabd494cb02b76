import type { Settings } from '../world/settings/index.ts'

/** Headers that a browser asks for before it sends a key or JSON to another origin. */
const ALLOWED = {
  'access-control-allow-headers': 'authorization, content-type, x-api-key',
  'access-control-max-age': '600',
}

/** Lets pages of the origins in the setting `cors` read a response; for the paths of the contract alone. */
export function corsHeaders(
  cors: Settings['cors'],
  origin: string | undefined,
): Record<string, string> {
  if (cors === 'none' || origin === undefined) return {}
  const isAllowed = cors === '*' || cors.split(',').includes(origin)
  return { vary: 'origin', ...(isAllowed && { 'access-control-allow-origin': origin }) }
}

/** The response to a preflight request, where the setting allows its origin. */
export function respondToPreflight(
  cors: Settings['cors'],
  { origin, methods }: { origin: string | undefined; methods: readonly string[] },
): Response | undefined {
  const headers = corsHeaders(cors, origin)
  if (!('access-control-allow-origin' in headers)) return undefined
  const allowed = { 'access-control-allow-methods': methods.join(', '), ...ALLOWED }
  return new Response(null, { status: 204, headers: { ...headers, ...allowed } })
}
