import { toFixture } from '../agreement/save/fixture.ts'
import { writeScenario } from '../agreement/save/scenario.ts'
import { readSession } from '../agreement/save/session.ts'
import type { ControlClient } from '../client/control.ts'
import { type Json, pathOf } from '../client/http.ts'
import type { State } from '../world/state.ts'
import type { View } from './view.ts'

/** What a person takes home: the session as a scenario, or the world as a fixture. */
export const SAVED_SCENARIO = 'saved/scenario.mjs'
export const SAVED_FIXTURE = 'saved/fixture.json'

export async function findSaved(view: View, path: string): Promise<Response | undefined> {
  if (path === SAVED_SCENARIO) return toFile('text/javascript', await saveScenario(view))
  if (path !== SAVED_FIXTURE) return undefined
  const answer = await view.call('/_sandbox/state')
  const { document } = toFixture((await answer.json()) as State)
  return toFile('application/json', `${JSON.stringify(document, null, 2)}\n`)
}

async function saveScenario(view: View): Promise<string> {
  const call: ControlClient['call'] = async (_, path, { query } = {}) => {
    const answer = await view.call(pathOf({ method: 'GET', path: `/_sandbox${path}`, query }))
    const body: Json = await answer.json()
    return body
  }
  const session = await readSession(call)
  return writeScenario(session)
}

function toFile(type: string, text: string): Response {
  const headers = {
    'content-type': `${type}; charset=utf-8`,
    'content-disposition': 'attachment',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  return new Response(text, { headers })
}
