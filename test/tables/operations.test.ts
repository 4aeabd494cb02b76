import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../src/host/operations.ts'
import { schemasOf } from '../../src/http/operation-description.ts'
import { successOf } from '../../src/http/status.ts'
import { toSettings } from '../../src/world/settings/index.ts'
import {
  CONTRACT_OPERATIONS,
  CREATING,
  LEGACY,
  OPERATION_IDS,
} from '../../src/world/settings/operations.ts'
import { EMAIL, openScene } from '../assumptions/scene.ts'

const CALLABLE = OPERATIONS.filter(({ dialect }) => dialect.isContract)

describe('the table of the operations of the contract', () => {
  it('has a row for each that can be called, and for no other', () => {
    expect(CALLABLE.map(({ id }) => id).sort()).toEqual([...OPERATION_IDS].sort())
  })

  it('says where each has its input and its user', () => {
    for (const operation of CALLABLE) {
      const { query, body } = schemasOf(operation)
      const takes = body ? 'body' : query && 'query'
      const row = CONTRACT_OPERATIONS[operation.id as keyof typeof CONTRACT_OPERATIONS]
      expect([operation.id, row.takes]).toEqual([operation.id, takes])
      expect([operation.id, row.user === 'path']).toEqual([
        operation.id,
        operation.path.includes('/:userId'),
      ])
      expect([operation.id, row.area === 'Legacy v1']).toEqual([
        operation.id,
        operation.successor !== undefined,
      ])
    }
  })

  it('gives a POST the status of the setting where the contract does not show one', async () => {
    const posts = CALLABLE.filter(({ method }) => method === 'POST').map(({ id }) => id)
    const stated = ['verifyLoginCode', 'createTransaction']
    expect(posts.filter((id) => !stated.includes(id)).sort()).toEqual([...CREATING].sort())
    const created = toSettings({ 'status.created': 201 })
    for (const operation of CALLABLE) {
      const usual = operation.id === 'deleteWebhookConfiguration' ? 204 : 200
      const isOpen = CREATING.some((id) => id === operation.id)
      expect([operation.id, successOf(operation, created)]).toEqual([
        operation.id,
        isOpen ? 201 : usual,
      ])
    }
    expect(LEGACY).toHaveLength(11)
    const scene = openScene({ 'status.created': 201 })
    const { status } = await scene.ask('POST /v2/users', { body: { email: EMAIL } })
    expect(status).toBe(201)
    await scene.app.close()
  })
})
