import { describe, expect, it } from 'vitest'
import type { Answer } from '../contract.ts'
import type { TestApp } from '../helpers/app.ts'
import { createChecker } from '../openapi/checker.ts'
import { makeDocuments } from '../openapi/documents.ts'
import { checkCall } from './check-call.ts'
import type { Request } from './request.ts'

const FIND: Request = {
  operationId: 'findUsers',
  method: 'GET',
  template: '/v2/users',
  path: {},
  query: [['email', 'alice@example.com']],
  headers: {},
  body: undefined,
  mutation: { kind: 'none' },
}
const CATCH: Request = {
  ...FIND,
  operationId: 'catchPut',
  method: 'PUT',
  template: '/_sandbox/catch/{name}',
  path: { name: 'one' },
  query: [],
}
const documents = makeDocuments()
const FAILURE = { success: false, errors: [{ field: 'email', message: 'No.' }] }

/** Checks one call to a sandbox that answers this; where it `changes`, each state is another. */
function check(status: number, body: unknown, { changes = false, request = FIND } = {}) {
  let reads = 0
  const answer = (code: number, value: unknown): Answer => ({
    status: code,
    headers: new Headers({ 'content-type': 'application/json' }),
    text: JSON.stringify(value),
  })
  const send = async (path: string) =>
    path === '/_sandbox/state' ? answer(200, changes ? reads++ : 0) : answer(status, body)
  const app = { send } as Partial<TestApp> as TestApp
  const checker = createChecker(documents[request === CATCH ? 'control' : 'contract'])
  const scene = { app, names: {}, checker, chosen: new Set([583]) }
  return checkCall(scene, request, new Map())
}

describe('the check of a call', () => {
  it('lets a documented answer pass', async () => {
    await check(200, { success: true, data: [] })
    await check(400, FAILURE)
    await check(200, { success: true, data: [] }, { changes: true })
  })

  it.each([
    ['a failure of the sandbox', 500, FAILURE],
    ['a status that is not documented', 418, FAILURE],
    ['a field too many', 200, { success: true, data: [], more: 1 }],
    ['a field too few', 400, { success: false }],
    ['a value of another type', 200, { success: true, data: [{ id: 1 }] }],
  ])('finds %s', async (_, status, body) => {
    await expect(check(status, body)).rejects.toThrow()
  })

  it('lets a catch receiver answer what an earlier call chose, and no other failure', async () => {
    await check(583, null, { request: CATCH })
    await expect(check(500, null, { request: CATCH })).rejects.toThrow()
    await expect(check(583, FAILURE)).rejects.toThrow()
  })

  it('finds a refusal that changed something', async () => {
    await expect(check(400, FAILURE, { changes: true })).rejects.toThrow()
  })
})
