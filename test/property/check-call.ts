import { expect } from 'vitest'
import { readState } from '../helpers/state.ts'
import type { Request } from './request.ts'
import type { Scene } from './scene.ts'
import { toWire } from './send.ts'

/** Statuses of responses, by operation. */
export type Reached = Map<string, Set<number>>

/** A wrong login code is counted, as the contract's limits on attempts ask for. */
const COUNTED = new Set(['verifyLoginCode', 'v1VerifyLoginCode'])

/** Makes a call and fails where it breaks a promise that holds for every call. */
export async function checkCall(scene: Scene, request: Request, reached: Reached) {
  const { app, names, checker, chosen } = scene
  const { operationId } = request
  const before = scene.state ?? (await readState(app))
  const [path, init] = toWire(request, names)
  const response = await app.send(path, init)
  const { status, headers, text } = response
  const what = `${init.method} ${path} ${String(init.body ?? '')} responded with ${status} ${text}`
  const mayBeChosen = checker.find(request.method, path)?.operation.responses.default
  if (!(mayBeChosen && chosen.has(status))) expect(status, what).toBeLessThan(500)
  const actual = { method: request.method, path, status, type: headers.get('content-type'), text }
  if (checker.find(request.method, path)) expect(checker.check(actual), what).toEqual([])
  reached.set(operationId, (reached.get(operationId) ?? new Set()).add(status))
  scene.state = undefined
  if (status < 400) return learn(scene, operationId, { sent: init.body, text })
  const after = await readState(app)
  expect(withoutCounts(operationId, after), what).toBe(withoutCounts(operationId, before))
  scene.state = after
}

function withoutCounts(operationId: string, state: string): string {
  return COUNTED.has(operationId) ? state.replace(/"attempts":\d+/g, '"attempts":0') : state
}

/** What later calls may name, and which statuses they may get. */
function learn(
  { names, chosen }: Scene,
  operationId: string,
  { sent, text }: { sent: unknown; text: string },
) {
  if (operationId === 'createQuote') names.quote = JSON.parse(text).data.quoteId
  if (operationId === 'createTransaction') names.tx = JSON.parse(text).data.id
  if (operationId === 'setCatchResponse') chosen.add(JSON.parse(String(sent)).status)
}
