import { expect, it } from 'vitest'
import { settingOf } from '../../src/world/settings/index.ts'
import { EMAIL, openScene, type Scene, SELL } from '../assumptions/scene.ts'
import { EVM_WALLET, type Person } from '../helpers/story.ts'

type Row = [
  operation: string,
  added: readonly string[],
  call: (scene: Scene, alice: Person) => Promise<{ data: object }>,
]

/** Responses with fields that the contract does not show, once Alice is verified. */
const ROWS: readonly Row[] = [
  [
    'sendLoginCode',
    ['message'],
    ({ ask }) => ask('POST /v2/auth/login-codes', { body: { email: EMAIL } }),
  ],
  [
    'createUser',
    ['accessibleBy', 'status'],
    ({ ask }) => ask('POST /v2/users', { body: { email: 'bob@example.com' } }),
  ],
  [
    'createQuote',
    ['expiresAt', 'leftSideLabel', 'leftSideValue', 'rate', 'rightSideLabel', 'rightSideValue'],
    (scene) => scene.quote(),
  ],
  ['v1FindUser', ['userStatus'], ({ ask }) => ask('GET /apiFindUser', { query: { email: EMAIL } })],
  [
    'v1CreateTransaction',
    ['depositAddress'],
    async (scene, { token }) => {
      const { quoteId } = (await scene.quote(SELL)).data
      const body = { ...SELL, wallet: EVM_WALLET, quoteId }
      return scene.ask('POST /transaction', { token, body })
    },
  ],
]

it.each(ROWS)(
  'responses.fields = contract leaves out of %s what full adds',
  async (_, added, call) => {
    const see = async (value: string) => {
      const scene = openScene({})
      const alice = await scene.alice()
      await scene.app.control('PATCH', '/settings', { 'responses.fields': value })
      const { data } = await call(scene, alice)
      await scene.app.close()
      return Object.keys(data).sort()
    }
    const [full, contract] = [await see('full'), await see('contract')]
    expect(full.filter((field) => !contract.includes(field))).toEqual(added)
    expect(contract.every((field) => full.includes(field))).toBe(true)
  },
)

it('responses.fields concerns these operations and no others', () => {
  expect(ROWS.map(([operation]) => operation)).toEqual(settingOf('responses.fields').on)
})
