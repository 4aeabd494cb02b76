import { toFixture } from '../fixture/save.ts'
import type { State } from '../world/state.ts'
import type { PageRequest } from './request.ts'

/** Downloads the current state of a world as a fixture. */
export async function findSaved(
  { call }: PageRequest,
  path: string,
): Promise<Response | undefined> {
  if (path !== 'saved/fixture.json') return undefined
  const response = await call('/_sandbox/state')
  if (!response.ok) return response
  const fixture = toFixture((await response.json()) as State)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': 'attachment',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  return new Response(`${JSON.stringify(fixture, null, 2)}\n`, { headers })
}
