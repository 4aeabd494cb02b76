import { expect, it } from 'vitest'
import { createReceiver } from '../../src/index.ts'
import { logIn } from '../helpers/story.ts'
import { openControl } from './control.ts'

it('GET /explain/{id} says why a call was refused and what would have worked', async () => {
  await using control = openControl()
  const headers = { 'x-api-key': 'wrong' }
  const response = await control.app.send('/v2/users?email=alice@example.com', { headers })
  const id = response.headers.get('x-sandbox-request')
  const { text, hint, links } = await control.get(`/explain/${id}`)
  expect(text.split('\n')).toEqual([
    expect.stringMatching(`^${id} .* GET http.*/v2/users.*: 401$`),
    'This API key is unknown.',
    'contract: Authentication, item 1',
  ])
  expect(hint).toContain('sandbox-key')
  expect(links).toEqual([{ name: id, url: `http://127.0.0.1:4100/_sandbox/requests/${id}` }])
})

it('GET /explain/{id} leads from a transaction to its webhook, to the event, and to the call that caused it', async () => {
  await using receiver = await createReceiver()
  receiver.respondWith(500)
  await using control = openControl()
  await control.app.call('PUT /v2/webhook-configurations', { body: { url: receiver.url } })
  const { id } = await (await logIn(control.app)).buy()
  await control.post('/webhooks/drain')
  const follow = async (url: string) =>
    JSON.parse((await control.app.send(new URL(url).pathname)).text)
  const transaction = await control.get(`/explain/${id.slice(0, 8)}`)
  expect(transaction).toMatchObject({ id, hint: 'The receiver failed; check its log.' })
  const webhook = await follow(transaction.links[1].url)
  expect(webhook.text).toContain('It failed.')
  expect(webhook.hint).toBe(transaction.hint)
  const event = await follow(webhook.links[1].url)
  expect(event.text).toContain(`webhook: ${webhook.id} `)
  const call = await follow(event.links.at(-1).url)
  expect(call.text).toContain('The call was accepted.')
  expect(call.text).toContain(`caused: ${webhook.id} `)
})

it('GET /explain/{id} explains the last refused call, and counts the calls since', async () => {
  await using control = openControl()
  expect((await control.refused('GET', '/explain/last')).title).toBe(
    'No API calls have been refused.',
  )
  const headers = { 'x-api-key': 'sandbox-key' }
  const find = (email: string) => control.app.send(`/v2/users?email=${email}`, { headers })
  await find('')
  await find('alice@example.com')
  const { id, text } = await control.get('/explain/last')
  expect(id).toBe('req_1')
  expect(text).toMatch(/: 400 {2}\(the last refused call; 1 call since, up to req_2\)\n/)
})

it('GET /explain/{id} names the attempt that succeeded, and explains the event of a test webhook', async () => {
  await using receiver = await createReceiver()
  await using control = openControl({ fixture: 'cast' })
  await control.put('/webhooks/settings', { url: receiver.url })
  receiver.respondWith(500)
  const { id, eventId } = await control.post('/webhooks/test')
  receiver.respondWith(204)
  await control.post(`/webhooks/deliveries/${id}/resend`, { to: `${receiver.url}/other` })
  const { text } = await control.get(`/explain/${id}`)
  expect(text).toContain('This attempt failed, but dlv_2 succeeded.')
  expect(await control.get(`/explain/${eventId}`)).toMatchObject({ id, text })
})

it('GET /explain/{id} says how to send a webhook that had no URL', async () => {
  await using control = openControl({ fixture: 'cast' })
  await control.post('/simulate/users/alice@example.com/buy', { cad: 100 })
  const { text } = await control.get('/explain/dlv_1')
  expect(text).toContain('set a URL: ramp-sandbox webhook set URL --integrator main\n')
  expect(text).toContain('resend it: ramp-sandbox webhook resend dlv_1')
})

it.each(['req_9', 'act_9', 'dlv_9', 'evt_none', '00000000'])(
  'GET /explain/{id} is 404 for %s, which does not exist',
  async (id) => {
    await using control = openControl()
    expect(await control.refused('GET', `/explain/${id}`)).toMatchObject({ code: 'not-found' })
  },
)

it('GET /explain/{id} says that a call cut off by a fault got no response', async () => {
  await using control = openControl()
  await control.post('/faults', { on: 'api', match: {}, then: { connection: 'reset' } })
  await control.app.send('/v2/limits').catch(() => undefined)
  const { text } = await control.get('/explain/req_1')
  expect(text.split('\n')[1]).toBe('The call got no response.')
})

it('GET /explain/{id} does not call a fault refused whose response is a success', async () => {
  await using control = openControl()
  await control.post('/faults', { on: 'api', match: {}, then: { status: 200, body: '{}' } })
  await control.app.send('/v2/limits')
  expect((await control.get('/explain/last')).text).toContain(
    ': 200  (the last call with a note; none was refused)\n',
  )
  expect((await control.get('/requests?refused=true')).requests).toEqual([])
})
