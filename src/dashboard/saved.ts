import { createControl } from '../client/control.ts'
import { createHttpClient } from '../client/http.ts'
import { toFixture } from '../fixture/save.ts'
import { writeScenario } from '../scenario/save.ts'
import { readSession } from '../scenario/session.ts'
import type { State } from '../world/state.ts'
import type { View } from './view.ts'

/** Downloads the calls of a world as a scenario, or its current state as a fixture. */
export async function findSaved(view: View, path: string): Promise<Response | undefined> {
  const fetch = (target: string) => view.call(target)
  const { call } = createControl(createHttpClient({ url: '', fetch }))
  if (path === 'saved/scenario.mjs') {
    return toFile('text/javascript', writeScenario(await readSession(call)))
  }
  if (path !== 'saved/fixture.json') return undefined
  const fixture = toFixture(await call<State>('GET', '/state'))
  return toFile('application/json', `${JSON.stringify(fixture, null, 2)}\n`)
}

export function toFile(type: string, text: string): Response {
  const headers = {
    'content-type': `${type}; charset=utf-8`,
    'content-disposition': 'attachment',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  return new Response(text, { headers })
}
