import { describe, expect, it } from 'vitest'
import { SETTING_IDS, settingOf } from '../../src/world/settings/index.ts'
import { EMAIL, openScene, type Scene, SELL } from '../assumptions/scene.ts'
import { EVM_WALLET, type Person } from '../helpers/story.ts'

const SHOWN = SETTING_IDS.filter((id) => id.startsWith('fields.'))

/** The response of each operation whose fields are a choice, once Alice is verified. */
const CALLS: Readonly<Record<string, (scene: Scene, alice: Person) => Promise<{ data: unknown }>>> =
  {
    sendLoginCode: ({ ask }) => ask('POST /v2/auth/login-codes', { body: { email: EMAIL } }),
    createUser: ({ ask }) => ask('POST /v2/users', { body: { email: 'bob@example.com' } }),
    async findUsers({ ask }) {
      const { data } = await ask('GET /v2/users', { query: { email: EMAIL } })
      return { data: data[0] }
    },
    createQuote: (scene) => scene.quote(),
    async getTransaction(scene, alice) {
      const { data } = await scene.order(alice, SELL)
      return scene.ask(`GET /v2/transactions/${data.id}`, { token: alice.token })
    },
    v1FindUser: ({ ask }) => ask('GET /apiFindUser', { query: { email: EMAIL } }),
    async v1CreateTransaction(scene, { token }) {
      const { quoteId } = (await scene.quote(SELL)).data
      return scene.ask('POST /transaction', {
        token,
        body: { ...SELL, wallet: EVM_WALLET, quoteId },
      })
    },
  }

/** Fields that `contract` leaves out. */
const ADDED: Readonly<Record<string, readonly string[]>> = {
  sendLoginCode: ['message'],
  createUser: ['accessibleBy', 'status'],
  findUsers: ['accessibleBy', 'status', 'email'],
  createQuote: [
    'leftSideLabel',
    'leftSideValue',
    'rightSideLabel',
    'rightSideValue',
    'rate',
    'expiresAt',
  ],
  getTransaction: ['depositAddress'],
  v1FindUser: ['userStatus'],
  v1CreateTransaction: ['depositAddress'],
}

describe.each(SHOWN)('%s', (id) => {
  const operation = id.slice('fields.'.length)
  const see = async (value: string) => {
    const scene = openScene({})
    const alice = await scene.alice()
    await scene.app.control('PATCH', '/settings', { [id]: value })
    const { data } = (await CALLS[operation]?.(scene, alice)) ?? { data: {} }
    await scene.app.close()
    return Object.keys(data as object).sort()
  }

  it('leaves out under contract what full adds', async () => {
    const [full, contract] = [await see('full'), await see('contract')]
    expect(full.filter((field) => !contract.includes(field))).toEqual(
      [...(ADDED[operation] ?? [])].sort(),
    )
    expect(contract.every((field) => full.includes(field))).toBe(true)
    expect(settingOf(id).options).toHaveLength(2)
  })
})
