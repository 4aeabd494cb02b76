import { describe, expect, it } from 'vitest'
import { startSandbox } from '../helpers/command.ts'
import { openPage, openSized, PHONE, useBrowser } from './browser.ts'
import { apiOf, type Json, NOON, start, startAlone, startStory } from './sandbox.ts'

useBrowser()

async function kycLink(starting = start({ clock: NOON })) {
  const sandbox = await starting
  const { id } = await sandbox.api('POST', '/users', { email: 'ana@example.com' })
  const { url } = await sandbox.api('GET', `/users/${id}/kyc-url`)
  const statusOf = async () => {
    const headers = { authorization: 'Bearer letmein' }
    const response = await fetch(`${sandbox.url}/_sandbox/users/${id}`, { headers })
    const { status }: Json = await response.json()
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

it('the KYC page needs only its link, and can make every decision', async () => {
  const { url, statusOf } = await kycLink(startAlone({ clock: NOON, controlToken: 'letmein' }))
  const page = await openPage(url)
  for (const [button, status, said] of [
    ['Send for review', 'in-review', 'Sent to a reviewer.'],
    ['Ask for documents', 'upload', 'The user was asked for documents.'],
    ['Reject', 'rejected', 'Rejected. The user was sent a message.'],
    ['Approve', 'verified', 'Approved. You can go back to the app.'],
  ] as const) {
    if (status === 'rejected') await page.getByLabel('Reason').fill('Not the same person')
    await page.getByRole('button', { name: button }).click()
    await page.getByText(said).waitFor()
    expect(await statusOf()).toBe(status)
    await expect.poll(() => page.locator('.sandbox-bar .badge').innerText()).toBe(status)
    if (status === 'rejected') await page.getByText('Not the same person').waitFor()
  }
})

it('the KYC page works without JavaScript', async () => {
  const { url, statusOf } = await kycLink()
  const page = await openPage(url, { javaScriptEnabled: false })
  await page.getByRole('button', { name: 'Submit for review' }).click()
  await page.getByText('Sent to a reviewer.').waitFor()
  expect(await statusOf()).toBe('in-review')
  await page.getByLabel('Reason').fill('Not the same person')
  await page.getByRole('button', { name: 'Reject' }).click()
  await page.getByText('Reason: Not the same person').waitFor()
  expect(await statusOf()).toBe('rejected')
})

it('the KYC page works without the other pages under --no-control, and lets the user log in', async () => {
  const { url: origin } = (await startSandbox(['--clock', NOON, '--no-control'])).ready
  const sandbox = { ...apiOf(origin), url: origin }
  for (const path of ['/_sandbox/', '/_sandbox/demo', '/_sandbox/kyc/x', '/_sandbox/bank/x']) {
    expect((await fetch(`${sandbox.url}${path}`)).status, path).toBe(404)
  }
  const email = 'ana@example.com'
  const { id } = await sandbox.api('POST', '/users', { email })
  const { url } = await sandbox.api('GET', `/users/${id}/kyc-url`)
  const page = await openPage(url)
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Approved. You can go back to the app.').waitFor()
  await sandbox.api('POST', '/auth/login-codes', { email })
})

it('the KYC page expires after half an hour and says so', async () => {
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

it('the identity check is submitted by the user, waits for the reviewer, and follows the decision', async () => {
  const { url, statusOf } = await kycLink()
  const page = await openSized(url, PHONE.viewport)
  await page.getByRole('heading', { name: 'Verify your identity' }).waitFor()
  await page.getByText('for ana@example.com').waitFor()
  await page.getByRole('button', { name: 'Submit for review' }).click()
  await page.getByRole('heading', { name: 'We are reviewing your documents' }).waitFor()
  expect(await statusOf()).toBe('in-review')
  await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'upload', reasons: ['The picture is blurred'] }),
  })
  await page.getByRole('heading', { name: 'We need another document' }).waitFor()
  await page.getByText('The picture is blurred').waitFor()
  await page.getByRole('button', { name: 'Submit for review' }).waitFor()
})

describe("the bank's page", () => {
  it('a payment on the bank’s page can be declined by the user, refused by the bank, delayed and approved', async () => {
    const sandbox = await startStory()
    const { id, rmtId } = await sandbox.buy(sandbox.token, 250)
    const statusOf = async () => (await sandbox.control('GET', `/transactions/${id}`)).status
    const { messages } = await sandbox.control('GET', '/inbox?kind=money-request')
    expect(messages[0].url).toBe(`${sandbox.url}/_sandbox/bank/${id}`)
    const page = await openPage(messages[0].url)
    await page.getByText('$250.00').waitFor()
    await page.getByText(rmtId).waitFor()
    await page.getByText('The request expires in 1 h').waitFor()
    await page.getByRole('button', { name: 'Decline', exact: true }).click()
    await page.getByRole('heading', { name: 'You declined this request' }).waitFor()
    await page.getByRole('button', { name: 'Back to the request' }).click()
    await page.getByRole('button', { name: 'Bank declines' }).click()
    await page.getByText('Declined. The user was sent a message.').waitFor()
    expect(await statusOf()).toBe('pending request money transfer')
    await page.getByRole('button', { name: 'When does it expire?' }).click()
    const { expiresAt } = await sandbox.control('GET', `/transactions/${id}`)
    const until = expiresAt.slice(0, 19).replace('T', ' ')
    await page.getByText(`This request expires at ${until} UTC`).waitFor()
    expect(await statusOf()).toBe('pending request money transfer')
    await page.getByRole('button', { name: 'Approve and send' }).click()
    await page.getByRole('heading', { name: 'Sent' }).waitFor()
    expect(await statusOf()).toBe('processing request money transfer')
    expect(await page.getByText('decide as the bank').count()).toBe(0)
    expect(await page.getByRole('complementary', { name: 'Sandbox' }).count()).toBe(0)
  })

  it('the bank’s page works without JavaScript', async () => {
    const sandbox = await startStory()
    const { id } = await sandbox.buy(sandbox.token, 250)
    const url = `${sandbox.url}/_sandbox/bank/${id}?for=My+wallet`
    const page = await openPage(url, { javaScriptEnabled: false })
    await page.getByRole('button', { name: 'Decline', exact: true }).click()
    await page.getByRole('button', { name: 'Back to the request' }).click()
    await page.getByRole('button', { name: 'When does it expire?' }).click()
    await page.getByText('This request expires at').waitFor()
    await page.getByRole('button', { name: 'Bank declines' }).click()
    await page.getByText('Declined. The user was sent a message.').waitFor()
    await page.getByText('My wallet').waitFor()
    await page.getByRole('button', { name: 'Approve and send' }).click()
    await page.getByRole('heading', { name: 'Sent' }).waitFor()
  })

  it('the bank’s page deposits the payout of a sell with its security answer', async () => {
    const sandbox = await startStory()
    const { id } = await sandbox.sell(sandbox.token, 50)
    await sandbox.control('POST', `/simulate/transactions/${id}/settled`, { through: true })
    const { messages } = await sandbox.control('GET', '/inbox?kind=payout')
    const page = await openPage(`${sandbox.url}/_sandbox/bank/${id}`)
    const answer = page.getByLabel('Security answer')
    await answer.fill('not this')
    await page.getByRole('button', { name: 'Deposit' }).click()
    await page.getByText('That answer is incorrect.').waitFor()
    await answer.fill(` ${messages[0].code.toLowerCase()}`)
    await page.getByRole('button', { name: 'Deposit' }).click()
    await page.getByRole('heading', { name: 'Deposited' }).waitFor()
  })

  it('the bank’s page does not exist for a sell that waits for its coins', async () => {
    const sandbox = await startStory()
    const { id } = await sandbox.sell(sandbox.token, 50)
    const page = await openPage('about:blank')
    expect((await page.goto(`${sandbox.url}/_sandbox/bank/${id}`))?.status()).toBe(404)
    await page.getByText('paid by sending coins').waitFor()
  })
})
