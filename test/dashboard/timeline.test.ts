import { expect, it } from 'vitest'
import { openApp, sendTo } from '../helpers/app.ts'

/** The texts of the cells with an amount, newest first. */
async function amountsAfter(...queries: readonly string[]): Promise<string[]> {
  const app = openApp()
  for (const query of queries) await sendTo(app, `GET /v2/quotes?${query}`)
  const { text } = await app.send('/_sandbox/ui/timeline')
  await app.close()
  return [...text.matchAll(/>([^<>]* ?→ USDC-ETH)</g)].map(([, amount = '']) => amount)
}

it('a refused quote shows on the timeline the amount that was asked for, as it was typed', async () => {
  const labels = 'leftSideLabel=CAD&rightSideLabel=USDC-ETH'
  const typed = ['abc', '1e999', '', '-5', '100'].map((text) => `${labels}&leftSideValue=${text}`)
  expect(await amountsAfter(labels, ...typed)).toEqual([
    '100.00 CAD → USDC-ETH',
    '-5.00 CAD → USDC-ETH',
    'CAD → USDC-ETH',
    '1e999 CAD → USDC-ETH',
    'abc CAD → USDC-ETH',
    'CAD → USDC-ETH',
  ])
})

it('an accepted call shows on the timeline the note that it has', async () => {
  const app = openApp()
  const body = { email: 'ana@example.com', first_name: 'Ana' }
  await sendTo(app, 'POST /v2/users', { body })
  const { text } = await app.send('/_sandbox/ui/timeline')
  await app.close()
  expect(text).toContain('first_name is not a field of this request; did you mean firstName?')
})
