import { expect, it } from 'vitest'
import { openApp, refusal, sendTo, type TestApp } from '../helpers/app.ts'
import { quote, SOLANA_WALLET, verifiedUser } from '../helpers/story.ts'

const BUY = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC-SOL' }

it.each([
  ['33 bytes', 'z'.repeat(44)],
  ['33 bytes that begin with zeros', '1'.repeat(33)],
  ['31 bytes', SOLANA_WALLET.slice(1)],
  ['31 zeros', '1'.repeat(31)],
  ['text that is not base58', 'l'.repeat(44)],
  ['far more bytes', 'z'.repeat(500)],
])('a wallet on Solana is refused if it is %s', async (_, wallet) => {
  const alice = await verifiedUser(openApp())
  const { rightSideLabel } = BUY
  expect(await alice.refusedBuy({ rightSideLabel, wallet })).toMatchObject(refusal(400, 'wallet'))
})

it.each(['1'.repeat(32), SOLANA_WALLET, 'z'.repeat(43)])(
  'a wallet on Solana may be any 32 bytes: %s',
  async (wallet) => {
    const alice = await verifiedUser(openApp())
    expect((await alice.buy({ rightSideLabel: 'USDC-SOL', wallet })).wallet).toBe(wallet)
  },
)

it.each(['POST /v2/transactions', 'POST /transaction'])(
  'a wallet on Solana without a capital letter gets a note from %s',
  async (route) => {
    const app = openApp()
    const { token } = await verifiedUser(app)
    const notesOf = async (wallet: string) => notesAbout(app, route, { token, wallet })
    expect(await notesOf('z'.repeat(43))).toContain('wallet has no capital letter')
    expect(await notesOf(SOLANA_WALLET)).not.toContain('capital')
    expect(await notesOf('1'.repeat(32))).not.toContain('capital')
  },
)

it('a wallet on Solana is valid if the sandbox created it: as a deposit address, or for a user who has none', async () => {
  const app = openApp()
  for (let count = 0; count < 20; count++) {
    const alice = await verifiedUser(app, { email: `user-${count}@example.com` })
    const { depositAddress = '' } = await alice.sell({ leftSideLabel: 'USDC-SOL' })
    await alice.buy({ rightSideLabel: 'USDC-SOL', wallet: depositAddress ?? '' })
    await app.control('POST', `/simulate/users/${alice.email}/sell`, {
      coins: 100,
      coin: 'USDC-SOL',
    })
  }
})

/** What the journal notes about an order that was accepted. */
async function notesAbout(
  app: TestApp,
  route: string,
  { token, wallet }: { token: string; wallet: string },
): Promise<string> {
  const { quoteId } = await quote(app, BUY)
  const { status, headers, text } = await sendTo(app, route, {
    token,
    body: { ...BUY, wallet, quoteId },
  })
  expect(status, text).toBe(200)
  const { notes } = await app.control('GET', `/requests/${headers.get('x-sandbox-request')}`)
  return notes.join(' ')
}
