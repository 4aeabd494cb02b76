import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { copied, openPage, useBrowser } from './browser.ts'
import { type Json, startStory } from './sandbox.ts'

useBrowser()

const run = async (command: string): Promise<Json> =>
  JSON.parse((await promisify(execFile)('sh', ['-c', command])).stdout)

it('a copied curl command runs, with a fresh access token of the user who made the call', async () => {
  const sandbox = await startStory()
  await fetch(`${sandbox.url}/v2/transactions?limit=1`, {
    headers: { 'x-api-key': 'sandbox-key', authorization: `Bearer ${sandbox.token}` },
  })
  await sandbox.control('POST', '/clock/advance', { by: '48h' })
  const page = await openPage(`${sandbox.url}/_sandbox/ui/requests`)
  await page.getByRole('link', { name: 'GET /v2/transactions' }).click()
  await page.getByRole('button', { name: 'Copy curl of this request' }).click()
  expect(await run(await copied(page))).toMatchObject({ success: true })
})

it('a copied curl command says why it has no token when none is available', async () => {
  const sandbox = await startStory()
  const { id } = await sandbox.api('POST', '/users', { email: 'bob@example.com' })
  await sandbox.api('GET', `/users/${id}/requirements`)
  await sandbox.control('POST', `/simulate/users/alice@example.com/kyc`, { status: 'in-review' })
  await fetch(`${sandbox.url}/v2/transactions`, {
    headers: { 'x-api-key': 'sandbox-key', authorization: `Bearer ${sandbox.token}` },
  })
  const page = await openPage(`${sandbox.url}/_sandbox/ui/requests`)
  await page.getByRole('link', { name: 'GET /v2/transactions' }).click()
  await page.getByRole('button', { name: 'Copy curl of this request' }).click()
  await page.locator('.toast.bad').getByText('Copied with $TOKEN').waitFor()
  expect(await copied(page)).toContain('"Authorization: Bearer $TOKEN"')
})

it('the page of a user copies an access token that the API accepts', async () => {
  const sandbox = await startStory()
  const page = await openPage(`${sandbox.url}/_sandbox/ui/users/alice@example.com`)
  await page.getByRole('button', { name: 'Copy access token of this user' }).click()
  await page.locator('.copied').waitFor()
  const token = await copied(page)
  expect((await sandbox.buy(token, 100)).status).toContain('pending')
})
