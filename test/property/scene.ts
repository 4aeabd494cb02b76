import type { TestApp } from '../helpers/app.ts'
import { logIn, quote } from '../helpers/story.ts'
import { type Checker, createChecker } from '../openapi/checker.ts'
import { ALICE, BOB, openCast } from '../openapi/story-v2.ts'

/** A world with users and transactions to call, and what `$` stands for in it. */
export interface Scene {
  app: TestApp
  names: Record<string, string | number>
  /** A document of this world, under its settings. */
  checker: Checker
  /** After the last call, where it changed nothing. */
  state?: string | undefined
  /** Statuses that an earlier call set for a catch receiver. */
  chosen: Set<number>
}

export async function openScene(
  name: 'contract' | 'control',
  settings: Record<string, string | number>,
): Promise<Scene> {
  const { app, alice, bob, carol } = await openCast()
  const aliceSession = await logIn(app, { email: ALICE })
  const bobSession = await logIn(app, { email: BOB })
  const order = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC-ETH' }
  const kyc = await aliceSession.call('GET /v2/users/{userId}/kyc-url')
  const share = await app.control('POST', '/simulate/share-tokens', { email: ALICE })
  const names = {
    alice,
    bob,
    carol,
    aliceToken: aliceSession.token,
    bobToken: bobSession.token,
    tx: (await aliceSession.buy()).id,
    foreignTx: (await bobSession.buy()).id,
    quote: (await quote(app, order)).quoteId,
    kyc: kyc.url.split('/').at(-1) ?? '',
    share: share.shareToken,
    code: await sendCode(app),
  }
  await app.control('PUT', '/rates', { USDC: { cad: 1.4 } })
  await app.control('PATCH', '/settings', settings)
  const path = name === 'contract' ? '/openapi.json' : '/_sandbox/openapi.json'
  const checker = createChecker(JSON.parse((await app.send(path)).text))
  return { app, names, checker, chosen: new Set() }
}

async function sendCode(app: TestApp): Promise<string> {
  await app.call('POST /v2/auth/login-codes', { body: { email: ALICE } })
  const { messages } = await app.control('GET', `/inbox?kind=login-code&email=${ALICE}`)
  return messages.at(-1).code
}
