import { expect, it } from 'vitest'
import { Worlds } from '../../src/host/worlds.ts'
import { NOON } from '../helpers/app.ts'
import { cancelBuy, enter, misspell, openClients } from './client.ts'

it('a client that openapi-typescript generates takes a user from registration to a cancelled buy', async () => {
  const clients = open()
  const { accessToken, tokenType, expiresIn } = await enter(clients, 'alice@example.com')
  expect([tokenType, expiresIn]).toEqual(['Bearer', 3600])
  const { txId, cancelled, page } = await cancelBuy(clients, accessToken)
  expect(cancelled).toMatchObject({ id: txId, status: 'cancelled' })
  expect(page).toMatchObject({ items: [{ id: txId }], total: 1, limit: 5 })
})

it('a client that openapi-typescript generates knows the type of an error', async () => {
  expect(await misspell(open())).toEqual({ status: 400, fields: ['email'] })
})

function open() {
  const worlds = new Worlds({ clock: NOON })
  return openClients(async (request) => worlds.fetch(request))
}
