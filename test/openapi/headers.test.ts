import { expect, it } from 'vitest'
import type { Route } from '../contract.ts'
import { type Call, KEY, openApp, toRequest } from '../helpers/app.ts'
import { EVM_WALLET, logIn, quote, register } from '../helpers/story.ts'
import { callV1, sendV1 } from '../v1/legacy.ts'
import { createChecker } from './checker.ts'
import { makeDocuments } from './documents.ts'

const NAME = 'x-sandbox-assumption'
const HOOK = 'http://127.0.0.1:9/hook'

it('documents the header of assumptions wherever an answer has it', async () => {
  const { find } = createChecker(makeDocuments().contract)
  const app = openApp({ fixture: 'verified-user' })
  const { token } = await logIn(app)
  const enabled = { verifiedEmailEnabled: true, transactionStatusUpdateEnabled: true }
  const urls = { verifiedEmailUrl: HOOK, transactionStatusUpdateUrl: HOOK }
  await callV1(app, 'PATCH /webhooks', { body: { ...enabled, ...urls } })
  const { quoteId } = await quote(app, {})
  const labels = { leftSideLabel: 'CAD', rightSideLabel: 'USDC-ETH' }
  const body = { ...labels, leftSideValue: 101, wallet: EVM_WALLET, quoteId }

  const created = await send('POST /v2/transactions', { token, body })
  const txId: string = JSON.parse(created.text).data.id
  await send('PUT /v2/transactions/{txId}/cancel', { token, path: { txId } })
  expectDocumented('POST /transaction', await sendV1(app, 'POST /transaction', { token, body }))
  for (const email of ['bob@example.com', 'carol@example.com']) {
    const userId = await register(app, { email })
    const { shareToken } = await app.control('POST', '/simulate/share-tokens', { email })
    if (email.startsWith('bob')) {
      await send('PUT /v2/users/{userId}/kyc', { path: { userId }, body: { shareToken } })
    } else {
      const call = { body: { share_token: shareToken } }
      const answer = await sendV1(app, 'POST /sumsubImportUser', call)
      expectDocumented('POST /sumsubImportUser', answer)
    }
  }
  await app.close()

  async function send(route: Route, call: Call) {
    const answer = await app.send(...toRequest(route, { key: KEY, ...call }))
    expectDocumented(route, answer)
    return answer
  }

  function expectDocumented(
    route: string,
    { status, headers }: { status: number; headers: Headers },
  ) {
    expect([status, headers.has(NAME)], route).toEqual([200, true])
    const [method = '', path = ''] = route.split(' ')
    const found = find(method, path.replace(/\{\w+\}/, 'x'))
    expect(found?.operation.responses[status].headers, route).toHaveProperty([NAME])
  }
})
