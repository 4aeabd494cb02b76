import { describe, expect, it } from 'vitest'
import { openPage, useBrowser } from './browser.ts'
import { type Json, NOON, start, startStory } from './sandbox.ts'

useBrowser()

async function kycLink() {
  const sandbox = await start('--clock', NOON, '--control-token', 'letmein')
  const { id } = await sandbox.api('POST', '/users', { email: 'ana@example.com' })
  const { url } = await sandbox.api('GET', `/users/${id}/kyc-url`)
  const statusOf = async () => {
    const headers = { authorization: 'Bearer letmein' }
    const answer = await fetch(`${sandbox.url}/_sandbox/users/${id}`, { headers })
    const { status }: Json = await answer.json()
    return status
  }
  const advance = (by: string) =>
    fetch(`${sandbox.url}/_sandbox/clock/advance`, {
      method: 'POST',
      headers: { authorization: 'Bearer letmein', 'content-type': 'application/json' },
      body: JSON.stringify({ by }),
    })
  return { url, statusOf, advance }
}

describe('the KYC page', () => {
  it('needs only its link, and decides each way', async () => {
    const { url, statusOf } = await kycLink()
    const page = await openPage(url)
    for (const [button, status, said] of [
      ['Send to review', 'in-review', 'A reviewer looks at it now.'],
      ['Ask for documents', 'upload', 'The user was asked for documents.'],
      ['Reject', 'rejected', 'Rejected. The user gets the reason.'],
      ['Approve', 'verified', 'Approved. You can go back to the app.'],
    ] as const) {
      if (status === 'rejected') await page.getByLabel('Reason').last().fill('Not the same person')
      await page.getByRole('button', { name: button }).click()
      await page.getByText(said).waitFor()
      expect(await statusOf()).toBe(status)
      await expect.poll(() => page.locator('#outcome .badge').innerText()).toBe(status)
      if (status === 'rejected') await page.getByText('Not the same person').waitFor()
    }
  })

  it('waits for its code before it takes a click', async () => {
    const { url, statusOf } = await kycLink()
    const page = await openPage('about:blank')
    await page.route('**/hosted.js*', async (route) => {
      await page.getByRole('button', { name: 'Approve' }).click({ force: true })
      await route.fallback()
    })
    await page.goto(url)
    await page.getByRole('button', { name: 'Send to review' }).click()
    await page.getByText('A reviewer looks at it now.').waitFor()
    expect(page.url()).toBe(url)
    expect(await statusOf()).toBe('in-review')
  })

  it('works without the control API, and lets the user log in', async () => {
    const sandbox = await start('--clock', NOON, '--no-control')
    const email = 'ana@example.com'
    const { id } = await sandbox.api('POST', '/users', { email })
    const { url } = await sandbox.api('GET', `/users/${id}/kyc-url`)
    const page = await openPage(url)
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Approved. You can go back to the app.').waitFor()
    await sandbox.api('POST', '/auth/login-codes', { email })
  })

  it('expires after half an hour and says so', async () => {
    const { url, advance, statusOf } = await kycLink()
    await advance('29m')
    const page = await openPage(url)
    await page.getByText('This link expires in 1 min').waitFor()
    await advance('1m')
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('This KYC link has expired').waitFor()
    expect(await statusOf()).toBe('initial')
    expect((await page.reload())?.status()).toBe(410)
    await page.getByRole('heading', { name: 'This KYC link has expired' }).waitFor()
    expect((await page.goto(`${url}0`))?.status()).toBe(404)
  })
})

describe("the bank's page", () => {
  it('declines, waits and approves', async () => {
    const sandbox = await startStory()
    const { id, rmtId } = await sandbox.buy(sandbox.token, 250)
    const statusOf = async () => (await sandbox.control('GET', `/transactions/${id}`)).status
    const { messages } = await sandbox.control('GET', '/inbox?kind=money-request')
    expect(messages[0].url).toBe(`${sandbox.url}/_sandbox/bank/${id}`)
    const page = await openPage(messages[0].url)
    await page.getByText('250.00 CAD').waitFor()
    await page.getByText(rmtId).waitFor()
    await page.getByText('The request expires in 1 h').waitFor()
    await page.getByRole('button', { name: 'Decline, as the bank would' }).click()
    await page.getByText('Declined. The user gets a message from the bank.').waitFor()
    await page.getByRole('button', { name: 'Let it expire' }).click()
    await page.getByText('Nothing was sent.').waitFor()
    expect(await statusOf()).toBe('pending request money transfer')
    await page.getByRole('button', { name: 'Approve and send' }).click()
    await page.getByText('This request is answered.').waitFor()
    expect(await statusOf()).toBe('processing request money transfer')
  })

  it('is not there for a sell', async () => {
    const sandbox = await startStory()
    const { id } = await sandbox.sell(sandbox.token, 50)
    const page = await openPage('about:blank')
    expect((await page.goto(`${sandbox.url}/_sandbox/bank/${id}`))?.status()).toBe(404)
    await page.getByText('paid in coins').waitFor()
  })
})
