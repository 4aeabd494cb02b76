import { describe, expect, it } from 'vitest'
import { SETTING_IDS, type SettingId, settingOf } from '../../src/world/settings/index.ts'
import { type Ask, BUY, EMAIL, openScene, type Scene } from '../assumptions/scene.ts'
import { EVM_WALLET } from '../helpers/story.ts'

const GUARDED = SETTING_IDS.filter((id) => id.startsWith('auth.'))

interface Around {
  userId: string
  txId: string
  quoteId: number
}

/** One call of each operation that a setting guards; `userId` names the user where no path does. */
const CALLS: Readonly<Record<string, (around: Around) => [route: string, ask?: Ask]>> = {
  updateUser: ({ userId }) => [`PATCH /v2/users/${userId}`, { body: { city: 'Ottawa' } }],
  createKycLink: ({ userId }) => [`GET /v2/users/${userId}/kyc-url`],
  getRequirements: ({ userId }) => [`GET /v2/users/${userId}/requirements`],
  importKyc: ({ userId }) => [`PUT /v2/users/${userId}/kyc`, { body: { shareToken: 'x' } }],
  createQuote: () => ['GET /v2/quotes', { query: { ...BUY } as never }],
  getLimits: ({ userId }) => ['GET /v2/limits', { query: { userId } }],
  createTransaction: ({ userId, quoteId }) => [
    'POST /v2/transactions',
    { query: { userId }, body: { ...BUY, wallet: EVM_WALLET, quoteId } },
  ],
  listTransactions: ({ userId }) => ['GET /v2/transactions', { query: { userId } }],
  getTransaction: ({ txId }) => [`GET /v2/transactions/${txId}`],
  cancelTransaction: ({ txId }) => [`PUT /v2/transactions/${txId}/cancel`],
  v1PriceQuote: () => ['GET /priceQuote', { query: { ...BUY } as never }],
  v1CreateTransaction: ({ userId, quoteId }) => [
    'POST /transaction',
    { query: { userId }, body: { ...BUY, wallet: EVM_WALLET, quoteId } },
  ],
  v1GetTransaction: ({ userId, txId }) => ['GET /transaction', { query: { userId, tx_id: txId } }],
}

/** What is let in, of: key and token, key, token, nothing; for a verified user. */
const ADMITTED: Readonly<Record<string, readonly boolean[]>> = {
  token: [true, false, false, false],
  key: [true, true, false, false],
  'key-or-token': [true, true, true, false],
  'key-until-verified': [true, false, false, false],
  none: [true, true, false, true],
}

const MISSING = ['missing-key', 'missing-token']

async function admittedBy(scene: Scene, operation: string) {
  const alice = await scene.alice()
  const { quoteId } = (await scene.quote()).data
  const { data } = await scene.order(alice)
  const [route, ask] = CALLS[operation]?.({ userId: alice.id, txId: data.id, quoteId }) ?? ['GET /']
  const { token } = alice
  const sent: Ask[] = [{ token }, {}, { key: null, token }, { key: null }]
  const admitted: boolean[] = []
  for (const credentials of sent) {
    const { headers } = await scene.ask(route, { ...ask, ...credentials })
    admitted.push(!MISSING.includes(headers.get('x-sandbox-error') ?? ''))
  }
  return admitted
}

describe.each(GUARDED)('%s', (id) => {
  const operation = id.slice('auth.'.length)
  const { options } = settingOf(id as SettingId)
  it.each([options].flat())('= %s', async (option) => {
    const scene = openScene({ [id]: option })
    const admitted = await admittedBy(scene, operation)
    await scene.app.close()
    expect(admitted).toEqual(operation.endsWith('Quote') ? quoting(option) : ADMITTED[option])
  })
})

/** A quote is for nobody, so that a token makes no difference. */
const quoting = (option: string) =>
  option === 'none' ? [true, true, true, true] : [true, true, false, false]

describe('key-until-verified', () => {
  it.each(GUARDED.filter((id) => settingOf(id).options.includes('key-until-verified')))(
    'lets the key alone in for a user who is not verified (%s)',
    async (id) => {
      const scene = openScene({ [id]: 'key-until-verified' })
      const { data } = await scene.ask('POST /v2/users', { body: { email: EMAIL } })
      const around = { userId: data.id, txId: '', quoteId: 0 }
      const [route, ask] = CALLS[id.slice('auth.'.length)]?.(around) ?? ['GET /']
      const { headers } = await scene.ask(route, ask)
      expect(MISSING).not.toContain(headers.get('x-sandbox-error'))
      const request = `/requests/${headers.get('x-sandbox-request')}`
      expect((await scene.app.control('GET', request)).notes).toContain(`assumption ${id}`)
      await scene.app.close()
    },
  )
})
