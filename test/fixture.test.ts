import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findActive, findUnsuccessful, maximumCad } from '../src/world/limits.ts'
import { getRequirements } from '../src/world/requirements.ts'
import { accessOf, getAnyUser } from '../src/world/users.ts'
import { ALICE, INTEGRATORS, MINUTE, NOW, open, problemsOf, stateOf } from './helpers/fixtures.ts'
import { createFolder } from './helpers/folder.ts'

it('the fixtures that come with the sandbox start from two integrators, of whom the second may act without a token', () => {
  const { integrators, users } = open('default')
  expect(users).toEqual([])
  expect(
    integrators.map(({ name, apiKey, actsWithoutToken }) => ({ name, apiKey, actsWithoutToken })),
  ).toEqual([
    { name: 'main', apiKey: 'sandbox-key', actsWithoutToken: false },
    { name: 'second', apiKey: 'sandbox-key-2', actsWithoutToken: true },
  ])
})

it.each(['verified-user', 'cast'])(
  'the fixtures that come with the sandbox have alice in %s ready to trade under one id',
  (name) => {
    const world = open(name)
    const alice = getAnyUser(world, 'alice@example.com')
    expect(alice).toMatchObject({
      id: 'a11ce000-0000-4000-8000-000000000001',
      status: 'verified',
      integrators: ['main', 'second'],
      loginCode: null,
    })
    expect(getRequirements(world, alice)).toEqual({ complete: true, outstanding: [] })
  },
)

it('the fixtures that come with the sandbox have bob in review, carol rejected with a reason, and erin with key-only access', () => {
  const world = open('cast')
  const [bob, carol, erin] = ['bob', 'carol', 'erin'].map((name) =>
    getAnyUser(world, `${name}@example.com`),
  )
  expect(bob?.status).toBe('in-review')
  expect(carol).toMatchObject({ status: 'rejected', reasons: [expect.any(String)] })
  const access = world.integrators.map((integrator) => erin && accessOf(erin, integrator))
  expect(access).toEqual([['jwt'], ['jwt', 'apiKey']])
})

it('the fixtures that come with the sandbox have dave one step below every limit', () => {
  const world = open('cast')
  const dave = getAnyUser(world, 'dave@example.com')
  expect(findActive(world, dave)).toHaveLength(2)
  expect(findUnsuccessful(world, dave)).toHaveLength(9)
  expect(maximumCad(world, dave)).toBeLessThan(world.settings['limits.maximum'])
})

const folder = createFolder()

it('a fixture may be a file, named by its path', () => {
  const path = join(folder, 'mine.json')
  writeFileSync(path, `\uFEFF${JSON.stringify({ integrators: INTEGRATORS, users: [ALICE] })}`)
  expect(stateOf(path)).toMatchObject({ fixture: path, users: [{ email: 'alice@example.com' }] })
})

it('a fixture that names no integrators has those of the default fixture', () => {
  const [named, unnamed] = [stateOf('default'), stateOf({})]
  expect(unnamed.integrators).toEqual(named.integrators)
})

it('a fixture sets rates and settings, and the settings at the start override its own', () => {
  const source = {
    integrators: INTEGRATORS,
    rates: { USDC: { cad: 1.5 } },
    settings: { 'quotes.ttl': '5m', 'limits.active': 1 },
  }
  const world = open(source, { settings: { 'limits.active': 2 } })
  expect(world.rates).toEqual({ USDC: { cad: 1.5 }, CADC: { cad: 1 } })
  expect(world.settings).toMatchObject({ 'quotes.ttl': 5 * MINUTE, 'limits.active': 2 })
})

it.each([
  [{ settings: { 'quotes.tll': '5m' } }, 'settings.quotes.tll: There is no setting quotes.tll'],
  [{ settings: { 'quotes.ttl': 'long' } }, 'settings.quotes.ttl must be a length of'],
  [{ rates: { USDC: { cad: 0 } } }, 'rates.USDC.cad: A rate must be above 0 and at most'],
  [{ rates: { USDT: { cad: 1 } } }, 'rates.USDT is not a field of a fixture; did you mean USDC?'],
])('a fixture with %j is refused', (given, message) => {
  expect(problemsOf({ integrators: INTEGRATORS, ...given }).join()).toContain(message)
})

it('an integrator of a fixture may have webhooks of both dialects and a secret of its own', () => {
  const [main] = INTEGRATORS
  const url = 'https://example.com/hook'
  const source = {
    integrators: [
      {
        ...main,
        signingSecret: 'whsec_mine',
        webhook: { url },
        legacyWebhooks: { verifiedEmailEnabled: true, verifiedEmailUrl: url },
      },
    ],
  }
  expect(open(source).integrators[0]).toMatchObject({
    signingSecret: 'whsec_mine',
    webhook: { url, createdAt: NOW, updatedAt: NOW },
    legacyWebhooks: {
      verifiedEmailEnabled: true,
      verifiedEmailUrl: url,
      transactionCompleteEnabled: false,
      transactionCompleteUrl: '',
    },
  })
})

it.each([
  [{ webhook: { url: 'http://10.0.0.1/' } }, 'integrators[0].webhook.url must start with'],
  [
    { legacyWebhooks: { transactionCompleteUrl: 'ftp://example.com' } },
    'integrators[0].legacyWebhooks.transactionCompleteUrl',
  ],
])('an integrator of a fixture with %j is refused', (given, message) => {
  const source = { integrators: [{ ...INTEGRATORS[0], ...given }] }
  expect(problemsOf(source).join()).toContain(message)
})

it('an integrator of a fixture must have a name and a key of its own', () => {
  const [main, other] = INTEGRATORS
  const sameName = { integrators: [main, { ...other, name: 'main' }] }
  const sameKey = { integrators: [main, { ...other, apiKey: 'key-1' }] }
  expect(problemsOf(sameName).join()).toContain('integrators[1].name: main is in this fixture')
  expect(problemsOf(sameKey).join()).toContain('integrators[1].apiKey: key-1 is in this fixture')
})
