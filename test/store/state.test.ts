import { describe, expect, it } from 'vitest'
import { type Control, openControl } from '../control/control.ts'
import { isFullDepth } from '../helpers/depth.ts'
import fc from '../helpers/fast-check.ts'
import { readState, withoutJournal } from '../helpers/state.ts'
import { logIn, receiveFunds, register, settle } from '../helpers/story.ts'

const RUNS = Number(process.env.STATE_RUNS ?? (isFullDepth ? 60 : 15))

/** Port 1 takes no connections. */
const NOBODY = 'http://127.0.0.1:1/'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

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

describe('an exported state', () => {
  it('makes the same world again, byte for byte, and it goes on the same', async () => {
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
})

describe('a state from before a field or a list was added', () => {
  it('takes the default for what is missing', async () => {
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
})

describe('a state that was tampered with', () => {
  it(`is refused by the place, or makes a world that works (${RUNS} times)`, {
    timeout: 300_000,
  }, async () => {
    await using lived = await openLived()
    const text = await readState(lived.app)
    const places = placesIn(JSON.parse(text))
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), Change, async (place, change) => {
        const body = JSON.parse(text)
        spoil(body, place, change)
        const response = await lived.app.send('/_sandbox/state', {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
        if (response.status !== 200) {
          expect(response.status, response.text).toBe(400)
          const [error] = JSON.parse(response.text).errors
          expect(error.field.split('.')[0], response.text).toMatch(/^\w+$/)
          expect(await readState(lived.app)).toBe(text)
          return
        }
        await expectWorks(lived)
        await lived.put('/state', JSON.parse(text))
      }),
      { numRuns: RUNS },
    )
  })

  it.each([
    ['a user twice', 'users.2', ({ users }: State) => users.push(users[0])],
    ['a task of nobody', 'tasks.0.ref', ({ tasks }: State) => (tasks[0].ref = 'nobody')],
    [
      'a setting that is unknown',
      'settings.quotes.tttl',
      ({ settings }: State) => (settings['quotes.tttl'] = '5m'),
    ],
    ['a position behind its rows', 'position', (state: State) => (state.position = 0)],
    ['an event out of turn', 'events.1.pos', ({ events }: State) => (events[1].pos = 1)],
  ])('with %s is refused', async (_, field, change) => {
    await using lived = await openLived()
    const text = await readState(lived.app)
    const body = JSON.parse(text)
    change(body)
    const { errors } = await lived.refused('PUT', '/state', { body })
    expect(errors[0]?.field).toBe(field)
    expect(await readState(lived.app)).toBe(text)
  })
})

// biome-ignore lint/suspicious/noExplicitAny: a state that a test spoils
type State = any

type Place = (string | number)[]
type Change = { value: Json | undefined } | { add: string }

const Change: fc.Arbitrary<Change> = fc.oneof(
  fc
    .constantFrom<Json | undefined>(
      undefined,
      null,
      0,
      -1,
      0.5,
      1e300,
      '',
      'x',
      '__proto__',
      [],
      {},
      [{}],
      'verified',
    )
    .map((value) => ({ value })),
  fc.constantFrom('toString', 'then', 'x').map((add) => ({ add })),
)

/** Every place in a document, its own rows once each. */
function placesIn(json: Json, place: Place = []): Place[] {
  if (json === null || typeof json !== 'object') return [place]
  const below = Object.entries(json).flatMap(([name, value]) => placesIn(value, [...place, name]))
  return place.length === 0 ? below : [place, ...below]
}

function spoil(json: Json, place: Place, change: Change) {
  const holder = place
    .slice(0, -1)
    .reduce((at, name) => (at as never)[name as never], json) as never
  const name = place.at(-1) as never
  const target = holder[name] as Json
  if ('add' in change) {
    if (target !== null && typeof target === 'object') Object.assign(target, { [change.add]: 1 })
  } else if (change.value === undefined) delete holder[name]
  else holder[name] = change.value as never
}

/** Whatever it was made of, no call of the world ends in a bug. */
async function expectWorks({ app }: Control) {
  const headers = { 'x-api-key': 'sandbox-key', 'content-type': 'application/json' }
  const post = { method: 'POST', headers, body: '{}' }
  const calls: [string, RequestInit][] = [
    ['/_sandbox/users', {}],
    ['/_sandbox/transactions', {}],
    ['/_sandbox/events', {}],
    ['/_sandbox/webhooks/deliveries', {}],
    ['/v2/users?email=alice@example.com', { headers }],
    ['/v2/quotes?leftSideLabel=CAD&leftSideValue=100&rightSideLabel=USDC', { headers }],
    ['/_sandbox/clock/advance', { ...post, body: '{"by":"25h","deliver":"async"}' }],
    ['/_sandbox/state', {}],
    ['/_sandbox/snapshots', { ...post, body: '{"name":"changed"}' }],
    ['/_sandbox/snapshots/changed/restore', post],
  ]
  for (const [path, init] of calls) {
    const { status, text } = await app.send(path, init)
    expect(status, `${path}: ${text}`).toBeLessThan(500)
  }
}

describe('a document', () => {
  it.each([
    ['that is not JSON', '{"formatVersion":2,', 'body'],
    ['that is no object', '[]', 'formatVersion'],
    [
      'nested without end',
      `{"formatVersion":2,"users":${'['.repeat(9e4)}${']'.repeat(9e4)}}`,
      'body',
    ],
  ])('%s is refused with its place', async (_, text, field) => {
    await using control = openControl()
    const { status, errors } = await control.refused('PUT', '/state', { text })
    expect([status, errors[0]?.field]).toEqual([400, field])
  })

  it.each([{ formatVersion: '2' }, { formatVersion: 1 }, { formatVersion: 3 }])(
    'of another form is refused by its version: %j',
    async (body) => {
      await using control = openControl()
      const refused = await control.refused('PUT', '/state', { body })
      expect([refused.status, refused.code]).toEqual([400, 'format-version'])
    },
  )
})
