import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { copied, openPage, openSized, PHONE, useBrowser } from './browser.ts'
import { startStory } from './sandbox.ts'

useBrowser()

const entry = (page: Page, text: string) => page.locator('.causes > li', { hasText: text }).first()
const textOf = (page: Page, text: string) => entry(page, text).innerText()

/** Waits until the URL ends so. */
const isAt = (page: Page, end: string) => expect.poll(() => page.url()).toMatch(end)

describe('the timeline', () => {
  it('the timeline shows the effects of a call under it, as they happen, linked both ways', async () => {
    const sandbox = await startStory()
    const page = await openPage(sandbox.dashboard)
    await entry(page, 'POST /v2/auth/login-codes').waitFor()
    const { id } = await sandbox.buy(sandbox.token, 250)
    const call = entry(page, 'POST /v2/transactions')
    for (const part of ['Alice', '250.00 CAD →', 'transaction.update', '/_sandbox/catch/me']) {
      await call.getByText(part).first().waitFor()
    }
    await call.getByText('Request for $250.00').click()
    await isAt(page, '/inbox/msg_')
    await page.getByRole('link', { name: 'createTransaction req_' }).click()
    await isAt(page, '/requests/req_')
    await page.locator('.detail').getByText('/_sandbox/catch/me').click()
    await isAt(page, '/webhooks/dlv_')
    await page.getByRole('link', { name: 'createTransaction req_' }).click()
    await page.locator('.detail').getByRole('link', { name: '250.00 CAD →' }).first().click()
    await isAt(page, `/transactions/${id}`)
    const part = page.locator('.detail .causes > li')
    await expect.poll(() => part.count()).toBe(1)
    await sandbox.control('POST', `/simulate/transactions/${id}/funds-received`)
    await expect.poll(() => part.count()).toBe(2)
    await part.first().getByText('E-transfer arrived').click()
    await isAt(page, '/actions/act_')
    await page.getByRole('heading', { name: 'E-transfer arrived' }).waitFor()
  })

  it('the timeline shows simulations, clock changes and errors as entries of their own', async () => {
    const sandbox = await startStory()
    await sandbox.buy(sandbox.token, 100)
    await sandbox.control('POST', '/clock/advance', { by: '1h' })
    await sandbox.control('PATCH', '/settings', { 'quotes.ttl': '5m' })
    await sandbox.control('DELETE', '/faults/none').catch(() => {})
    await sandbox.api('POST', '/users', { email: 'nobody' }).catch(() => {})
    const page = await openPage(sandbox.dashboard)
    expect(await textOf(page, 'Remove a fault')).toMatch(/^\S+\s+Refused Remove a fault[\s\S]*404/)
    expect(await textOf(page, 'Advanced 1h')).toMatch(/100\.00 CAD[\s\S]*expired/)
    await entry(page, 'quotes.ttl').waitFor()
    expect(await textOf(page, 'POST /v2/users')).toMatch(/400[\s\S]*email must be/)
    const counts = page.getByRole('status', { name: 'Counts' })
    expect(await counts.innerText()).toMatch(/^\d+ calls · 2 errors · 2 webhooks$/)
    await page.getByRole('link', { name: 'Errors' }).click()
    await expect.poll(() => counts.innerText()).toBe('1 call · 2 errors · 0 webhooks')
  })

  it('the timeline can be filtered by kind and by user, and leads to older entries', async () => {
    const sandbox = await startStory()
    await sandbox.api('POST', '/users', { email: 'bob@example.com' })
    await sandbox.api('POST', '/users', { email: 'nobody' }).catch(() => {})
    await sandbox.buy(sandbox.token, 100)
    const page = await openPage(sandbox.dashboard)
    const entries = page.locator('.causes > li')
    const filter = page.getByRole('navigation', { name: 'Show' })
    await filter.getByRole('link', { name: 'Errors' }).click()
    await expect.poll(() => entries.count()).toBe(1)
    await filter.getByRole('link', { name: 'Webhooks' }).click()
    await entry(page, 'POST /v2/transactions').waitFor()
    await filter.getByRole('link', { name: 'All', exact: true }).click()
    await filter.locator('[aria-current]', { hasText: 'All' }).waitFor()
    await page.getByLabel('Filter by user').fill('bob')
    await expect.poll(() => entries.count()).toBe(1)
    await page.getByLabel('Filter by user').fill('carol')
    await page.getByText('Nothing matches.').waitFor()
    await page.getByRole('link', { name: 'Show all' }).click()
    await Promise.all(
      Array.from({ length: 60 }, () => sandbox.api('GET', '/users?email=late@example.com')),
    )
    await expect.poll(() => entries.count()).toBe(50)
    await page.getByRole('button', { name: 'Load older' }).click()
    await entry(page, 'PUT /v2/webhook-configurations').waitFor()
  })
})

it('the page of a call shows headers with masked keys, coloured JSON to copy, and the hint', async () => {
  const sandbox = await startStory()
  await sandbox.api('POST', '/users', { Email: 'x@example.com' }).catch(() => {})
  const page = await openSized(`${sandbox.url}/_sandbox/ui/requests`, PHONE.viewport)
  await page.getByRole('link', { name: 'POST /v2/users' }).click()
  await page.getByText('You sent Email; the field is called email.').waitFor()
  await page.getByText('x-api-key: …-key').waitFor()
  expect(await page.locator('.j-name').allInnerTexts()).toContain('"Email"')
  await page.getByRole('button', { name: 'Copy the request body' }).click()
  expect(JSON.parse(await copied(page))).toEqual({ Email: 'x@example.com' })
  expect(await page.getByRole('heading', { name: 'What it caused' }).count()).toBe(0)
})

it('the Errors link filters requests, which can be searched by reason and client', async () => {
  const sandbox = await startStory()
  for (const email of ['a', 'b', 'c'])
    await sandbox.api('POST', '/users', { email }).catch(() => {})
  await fetch(`${sandbox.url}/v2/transactions`, {
    headers: { 'x-api-key': 'wrong', 'user-agent': 'old-app/1.2' },
  })
  const page = await openPage(`${sandbox.url}/_sandbox/ui/requests`)
  await page.getByRole('link', { name: 'Errors' }).click()
  await page.getByText('4 requests').waitFor()
  await page.getByLabel('Find in requests').fill('must be an e-mail address')
  await page.getByText('3 requests').waitFor()
  await page.getByLabel('Find in requests').fill('old-app/1.2')
  await page.getByRole('link', { name: 'GET /v2/transactions' }).click()
  await page.getByText('Keys of this world').waitFor()
})

it('the keys j and k move through the timeline, and Enter opens an entry', async () => {
  const sandbox = await startStory()
  await sandbox.buy(sandbox.token, 250)
  const page = await openPage(sandbox.dashboard)
  await entry(page, 'POST /v2/transactions').waitFor()
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim())
  await page.keyboard.press('j')
  expect(await focused()).toBe('POST /v2/transactions')
  await page.keyboard.press('j')
  expect(await focused()).toMatch(/^GET \/v2\/quotes/)
  await page.keyboard.press('k')
  expect(await focused()).toBe('POST /v2/transactions')
  expect(page.url()).toBe(sandbox.dashboard)
  await page.keyboard.press('Enter')
  await isAt(page, '/requests/req_')
})
