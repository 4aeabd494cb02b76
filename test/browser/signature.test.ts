import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { openPage, useBrowser } from './browser.ts'
import { type Json, startStory } from './sandbox.ts'

useBrowser()

/** A caught webhook, and the signature that a receiver computes who signs a text in its own way. */
async function startSigned() {
  const sandbox = await startStory()
  await sandbox.buy(sandbox.token, 250)
  await sandbox.control('POST', '/webhooks/drain')
  const { deliveries } = await sandbox.control('GET', '/webhooks/deliveries')
  const { integrators } = await sandbox.control('GET', '/webhooks/settings')
  const secret: string = integrators[0].signingSecret
  const delivery: Json = deliveries.at(-1)
  const timestamp: string = delivery.request.headers['X-Service-Timestamp']
  const digestOf = (body: string) =>
    createHmac('sha256', secret).update(`${timestamp}.${body}`).digest()
  return { ...sandbox, delivery, secret, digestOf }
}

it('“Why is my signature wrong?” is filled in with the bytes of the delivery, and names the receiver’s mistake', async () => {
  const { url, delivery, digestOf } = await startSigned()
  const page = await openPage(`${url}/_sandbox/ui/webhooks/${delivery.id}`)
  await page.getByText('Why is my signature wrong?').click()
  const body = page.getByLabel('Body as your receiver got it')
  expect(await body.inputValue()).toBe(delivery.request.body)
  const explained = page.locator('.explained')
  const check = async (computed: string, said: string) => {
    await page.getByLabel('Signature that your receiver computed').fill(computed)
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await explained.getByText(said).waitFor()
  }
  const parsed = JSON.stringify(JSON.parse(delivery.request.body), null, 2)
  await check(`v1=${digestOf(delivery.request.body).toString('hex')}`, 'computed the correct')
  await explained.locator('.badge').getByText('valid', { exact: true }).waitFor()
  await check(digestOf(delivery.request.body).toString('base64'), 'wrote the digest in base64')
  await check(`v1=${digestOf(parsed).toString('hex')}`, 'JSON.stringify(body, null, 2)')
  expect(await page.locator('.toast').count()).toBe(0)
})

it('“Why is my signature wrong?” is available for any webhook, and keeps what was typed while others arrive', async () => {
  const { url, delivery, secret, buy, token } = await startSigned()
  const page = await openPage(`${url}/_sandbox/ui/webhooks`)
  await page.getByRole('link', { name: 'Check a signature' }).click()
  expect(await page.getByLabel('Secret that your receiver uses').inputValue()).toBe(secret)
  const { headers, body } = delivery.request
  const lines = Object.entries(headers).map(([name, value]) => `${name.toLowerCase()}: ${value}`)
  await page.getByLabel('Headers as your receiver got them').fill(lines.join('\n'))
  await page.getByLabel('Body as your receiver got it').fill(`${body}\n`)
  await buy(token, 100)
  await page.locator('#nav-webhooks .count').getByText('2').waitFor()
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  const explained = page.locator('.explained')
  await explained.getByText('The body has the same values, but different bytes.').waitFor()
  await page.getByLabel('Secret that your receiver uses').fill('whsec_other')
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await explained.getByText('The webhook was signed with another secret.').waitFor()
  await explained.getByRole('link', { name: `This is ${delivery.id}` }).click()
  await page.waitForURL(`**/webhooks/${delivery.id}`)
})

it('the page of a webhook that was signed with world time calls its signature valid', async () => {
  const { url, control } = await startSigned()
  await control('PATCH', '/settings', { 'webhooks.time': 'world' })
  const { id } = await control('POST', '/webhooks/deliveries/dlv_1/resend')
  const page = await openPage(`${url}/_sandbox/ui/webhooks/${id}`)
  await page.getByText('It matches the exact body').waitFor()
})
