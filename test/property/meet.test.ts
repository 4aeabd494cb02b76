import { describe, expect, it } from 'vitest'
import type { Answer } from '../contract.ts'
import type { Door } from '../helpers/door.ts'
import { createChecker } from '../openapi/checker.ts'
import { makeDocuments } from '../openapi/documents.ts'
import { meet } from './meet.ts'
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
const FAILURE = { success: false, errors: [{ field: 'email', message: 'No.' }] }

/** Meets a sandbox that answers this, and whose state is another each time where it `changes`. */
function meetOne(status: number, body: unknown, { changes = false } = {}) {
  let reads = 0
  const answer = (code: number, value: unknown): Answer => ({
    status: code,
    headers: new Headers({ 'content-type': 'application/json' }),
    text: JSON.stringify(value),
  })
  const send = async (path: string) =>
    path === '/_sandbox/state' ? answer(200, changes ? reads++ : 0) : answer(status, body)
  const door = { send } as Partial<Door> as Door
  const checkers = [createChecker(makeDocuments().contract)]
  return meet({ door, names: {}, checkers }, FIND, new Map())
}

describe('what is looked at in every call', () => {
  it('lets a documented answer pass', async () => {
    await meetOne(200, { success: true, data: [] })
    await meetOne(400, FAILURE)
    await meetOne(200, { success: true, data: [] }, { changes: true })
  })

  it.each([
    ['a failure of the sandbox', 500, FAILURE],
    ['a status that is not documented', 418, FAILURE],
    ['a field too many', 200, { success: true, data: [], more: 1 }],
    ['a field too few', 400, { success: false }],
    ['a value of another type', 200, { success: true, data: [{ id: 1 }] }],
  ])('finds %s', async (_, status, body) => {
    await expect(meetOne(status, body)).rejects.toThrow()
  })

  it('finds a refusal that changed something', async () => {
    await expect(meetOne(400, FAILURE, { changes: true })).rejects.toThrow()
  })
})
