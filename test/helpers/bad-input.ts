import { expect } from 'vitest'
import { parseFailure, type Route, type TextResponse } from '../contract.ts'
import { type Call, openApp, type TestApp, toRequest } from './app.ts'
import { readState } from './state.ts'
import { prepareCalls } from './valid-calls.ts'

export interface Scene {
  app: TestApp
  call: Call
  body: Record<string, unknown>
  /** Sends a text in place of the body; the state must be as before unless it is taken. */
  sendText(
    text: string | Uint8Array<ArrayBuffer>,
    headers?: Record<string, string | null>,
  ): Promise<TextResponse>
  send(body: unknown): Promise<TextResponse>
}

/** A world in which the operation has a valid call, whose body a test then spoils. */
export async function prepare(route: Route, options = {}): Promise<Scene> {
  const app = openApp(options)
  const { calls } = await prepareCalls(app)
  const call = calls[route]
  // After a call that was refused.
  let state: string | undefined
  const scene: Scene = {
    app,
    call,
    body: (call.body ?? {}) as Record<string, unknown>,
    async sendText(text, { ...changed } = {}) {
      const [path, init] = toRequest(route, call)
      const headers = new Headers(init.headers)
      for (const [name, value] of Object.entries(changed)) {
        if (value === null) headers.delete(name)
        else headers.set(name, value)
      }
      const before = state ?? (await readState(app))
      const response = await app.send(path, { method: init.method ?? '', headers, body: text })
      state = response.status >= 400 ? await readState(app) : undefined
      if (state !== undefined) expect(state).toBe(before)
      return response
    },
    send: (body) => scene.sendText(JSON.stringify(body)),
  }
  return scene
}

export function expectError(response: TextResponse, status: number, field: string): void {
  const { errors } = parseFailure(response)
  expect([response.status, errors[0]?.field], response.text).toEqual([status, field])
}
