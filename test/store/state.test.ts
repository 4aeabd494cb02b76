import { expect, it } from 'vitest'
import { openControl } from '../control/control.ts'
import { readState, withoutJournal } from '../helpers/state.ts'
import { logIn, receiveFunds, register, settle } from '../helpers/story.ts'

/** Port 1 takes no connections. */
const NOBODY = 'http://127.0.0.1:1/'

/** A world with rows of every kind, and what is due in it. */
async function openLived() {
  const control = openControl()
  const { app, post, patch } = control
  await app.call('PUT /v2/webhook-configurations', { body: { url: NOBODY } })
  await app.send('/webhooks', {
    method: 'PATCH',
    headers: { 'x-api-key': 'sandbox-key', 'content-type': 'application/json' },
    body: JSON.stringify({
      verifiedEmailEnabled: true,
      verifiedEmailUrl: NOBODY,
    }),
  })
  const alice = await logIn(app)
  const { id } = await alice.buy()
  await receiveFunds(app, id)
  await settle(app, id)
  await alice.sell()
  const bob = await register(app, { email: 'bob@example.com' })
  await app.call('GET /v2/users/{userId}/kyc-url', { path: { userId: bob } })
  await post('/simulate/users/bob@example.com/kyc', {
    status: 'rejected',
    reasons: ['a'],
    after: '1h',
  })
  await patch('/settings', { 'quotes.ttl': '5m' })
  return control
}

it('an exported state recreates the same world, byte for byte, which continues in the same way', async () => {
  await using lived = await openLived()
  await using other = openControl({ fixture: 'default', seed: 'another' })
  const state = await readState(lived.app)
  await other.put('/state', JSON.parse(state))
  expect(await readState(other.app)).toBe(state)
  for (const control of [lived, other]) {
    await control.post('/clock/advance', { by: '2h' })
    await (await logIn(control.app)).buy({ leftSideValue: 250 })
  }
  const [one, another] = [await readState(other.app), await readState(lived.app)]
  expect(withoutJournal(one)).toEqual(withoutJournal(another))
})

it('a state from before a field or a list was added takes the default for what is missing', async () => {
  await using lived = await openLived()
  const text = await readState(lived.app)
  const body = JSON.parse(text)
  for (const row of body.transactions) delete row.securityAnswer
  delete body.kybSubmissions
  await lived.put('/state', body)
  const state = JSON.parse(await readState(lived.app))
  expect(state.kybSubmissions).toEqual([])
  expect(state.transactions).toEqual(
    JSON.parse(text).transactions.map((row: object) => ({ ...row, securityAnswer: null })),
  )
})

// biome-ignore lint/suspicious/noExplicitAny: a state that a test spoils
type State = any

/** From here on, adding 1 to a number leaves it as it is. */
const toLargest = (field: string) => (state: State) => (state[field] = Number.MAX_SAFE_INTEGER)

it.each([
  ['a duplicate user', 'users.2', ({ users }: State) => users.push(users[0])],
  ['a wrong type', 'users.1.id', ({ users }: State) => (users[1].id = 5)],
  ['an unknown field', 'users.0.mail', ({ users }: State) => (users[0].mail = 'x')],
  ['a task of an unknown user', 'tasks.0.ref', ({ tasks }: State) => (tasks[0].ref = 'nobody')],
  [
    'an unknown setting',
    'settings.quotes.tttl',
    ({ settings }: State) => (settings['quotes.tttl'] = '5m'),
  ],
  ['a position behind its rows', 'position', (state: State) => (state.position = 0)],
  ['a position too large to continue from', 'position', toLargest('position')],
  ['a quote number too large to continue from', 'nextQuoteId', toLargest('nextQuoteId')],
  ['a task count too large to continue from', 'taskCount', toLargest('taskCount')],
  ['an event out of order', 'events.1.pos', ({ events }: State) => (events[1].pos = 1)],
])('a state with %s is refused', async (_, field, change) => {
  await using lived = await openLived()
  const text = await readState(lived.app)
  const body = JSON.parse(text)
  change(body)
  const { errors } = await lived.refused('PUT', '/state', { body })
  expect(errors[0]?.field).toBe(field)
  expect(await readState(lived.app)).toBe(text)
})

it.each([
  ['that is not JSON', '{"formatVersion":2,', 'body'],
  ['that is no object', '[]', 'formatVersion'],
  [
    'nested without end',
    `{"formatVersion":2,"users":${'['.repeat(9e4)}${']'.repeat(9e4)}}`,
    'body',
  ],
])('a document %s is refused, with the place of the problem', async (_, text, field) => {
  await using control = openControl()
  const { status, errors } = await control.refused('PUT', '/state', { text })
  expect([status, errors[0]?.field]).toEqual([400, field])
})

it.each([{ formatVersion: '2' }, { formatVersion: 1 }, { formatVersion: 3 }])(
  'a document in another format is refused because of its version: %j',
  async (body) => {
    await using control = openControl()
    const refused = await control.refused('PUT', '/state', { body })
    expect([refused.status, refused.code]).toEqual([400, 'format-version'])
  },
)
