import type { Door } from '../helpers/door.ts'
import { logIn, quote } from '../helpers/story.ts'
import { type Checker, createChecker } from '../openapi/checker.ts'
import { ALICE, BOB, openCast } from '../openapi/story-v2.ts'

/** A world in which a call finds something to meet, with what `$` stands for in it. */
export interface Meeting {
  door: Door
  names: Record<string, string | number>
  /** The documents of this world, under its settings. */
  checkers: Checker[]
}

export async function openMeeting(settings: Record<string, string | number>): Promise<Meeting> {
  const { door, alice, bob, carol } = await openCast()
  const her = await logIn(door, { email: ALICE })
  const him = await logIn(door, { email: BOB })
  const order = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC-ETH' }
  const kyc = await her.call('GET /v2/users/{userId}/kyc-url')
  const share = await door.control('POST', '/simulate/share-tokens', { email: ALICE })
  const names = {
    alice,
    bob,
    carol,
    aliceToken: her.token,
    bobToken: him.token,
    tx: (await her.buy()).id,
    foreignTx: (await him.buy()).id,
    quote: (await quote(door, order)).quoteId,
    kyc: kyc.url.split('/').at(-1) ?? '',
    share: share.shareToken,
    code: await waitingCode(door),
  }
  await door.control('PUT', '/rates', { USDC: { cad: 1.4 } })
  await door.control('PATCH', '/settings', settings)
  const documents = ['/openapi.json', '/_sandbox/openapi.json'].map(async (path) =>
    createChecker(JSON.parse((await door.send(path)).text)),
  )
  return { door, names, checkers: await Promise.all(documents) }
}

async function waitingCode(door: Door): Promise<string> {
  await door.call('POST /v2/auth/login-codes', { body: { email: ALICE } })
  const { messages } = await door.control('GET', `/inbox?kind=login-code&email=${ALICE}`)
  return messages.at(-1).code
}
