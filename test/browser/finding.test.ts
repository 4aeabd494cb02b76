import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { copied, openPage, openSized, PHONE, press, useBrowser, visit } from './browser.ts'
import { startReceiver } from './receiver.ts'
import { type Json, startStory } from './sandbox.ts'

useBrowser()

const rows = (page: Page) => page.locator('.rows tbody tr')

async function startFailed() {
  const sandbox = await startStory()
  const receiver = await startReceiver()
  await sandbox.api('PUT', '/webhook-configurations', { url: receiver.url })
  const buy = await sandbox.buy(sandbox.token, 427)
  await sandbox.control('POST', '/webhooks/drain')
  return { ...sandbox, receiver, buy }
}

it('a list can be filtered by the word on a badge, and says which value it does not know', async () => {
  const { url, buy } = await startFailed()
  const page = await openPage(`${url}/_sandbox/ui/transactions?status=pending`)
  await expect.poll(() => rows(page).count()).toBe(1)
  await visit(page, `${url}/_sandbox/ui/requests?status=200`)
  await expect.poll(() => rows(page).count()).toBeGreaterThan(1)
  await visit(page, `${url}/_sandbox/ui/transactions?status=paid`)
  await page.getByText('No transactions match.').waitFor()
  await page.getByRole('link', { name: 'Show all' }).click()
  await page.getByRole('button', { name: 'Copy the id' }).click()
  expect(await copied(page)).toBe(buy.id)
  await visit(page, `${url}/_sandbox/ui/timeline?only=paid`)
  await page.getByText('only must be calls, errors or webhooks, not "paid".').waitFor()
})

it('the page of a webhook shows the response first, and all attempts with their own times', async () => {
  const { url, receiver, control } = await startFailed()
  const page = await openSized(`${url}/_sandbox/ui/webhooks`, { width: 1280, height: 800 })
  await page.getByRole('link', { name: '1 failed' }).click()
  await page.getByRole('link', { name: 'transaction.update: pending' }).click()
  const response = page.getByRole('region', { name: 'the response body' })
  expect((await response.boundingBox())?.y).toBeLessThan(600)
  expect((await page.getByLabel('the request body').first().boundingBox())?.y).toBeLessThan(800)
  await page.locator('.reason').getByText('“no column user_ref”').waitFor()
  await visit(page, `${url}/_sandbox/ui/webhooks?q=${encodeURIComponent('no cölumn usér_ref')}`)
  await page.getByRole('link', { name: 'transaction.update: pending' }).click()
  receiver.mend()
  await press(page, 'Resend', 'Sent again')
  const { deliveries } = await control('GET', '/webhooks/deliveries')
  const again = deliveries.findLast(({ repeatOf }: Json) => repeatOf)
  const attempts = page.locator('.card', { hasText: 'Attempts' }).locator('tbody tr')
  await expect.poll(() => attempts.count()).toBeGreaterThan(1)
  const shown = again.sentAt.slice(0, 19).replace('T', ' ')
  await expect.poll(() => attempts.last().innerText()).toContain(shown)
  await page.getByText('Resent successfully:').waitFor()
  await page.getByRole('link', { name: /^evt_/ }).click()
  await expect.poll(() => attempts.count()).toBeGreaterThan(1)
  await visit(page, `${url}/_sandbox/ui/transactions/${again.ref}`)
  await page.getByRole('link', { name: `Webhook resent: ${again.repeatOf}` }).waitFor()
  await page.locator('.effect.inner:has(.tag)').first().locator('.badge').waitFor()
})

it('the count of webhooks leaves out what was suppressed, and a toast names one that failed', async () => {
  const sandbox = await startStory()
  await sandbox.api('DELETE', '/webhook-configurations')
  await sandbox.buy(sandbox.token, 100)
  const page = await openPage(`${sandbox.url}/_sandbox/ui/webhooks`)
  await page.getByText("1 webhook wasn't sent: no URL was configured").waitFor()
  expect(await page.locator('#nav-webhooks .count').count()).toBe(0)
  await page.getByRole('link', { name: 'Show it' }).click()
  await page.locator('.row-link').first().click()
  await page.getByRole('heading', { name: 'No response' }).waitFor()
  await expect.poll(() => page.locator('.detail-head .badge').innerText()).toBe('suppressed')
  const { url } = await startReceiver()
  await sandbox.api('PUT', '/webhook-configurations', { url })
  await visit(page, `${sandbox.url}/_sandbox/ui/transactions`)
  await page.getByText('New transaction').click()
  await press(
    page,
    'Create',
    'Transaction created, but 1 webhook failed: The receiver responded with 500',
  )
})

it('the list of requests shows in one click who still calls v1, and links a 503 to its fault', async () => {
  const sandbox = await startStory()
  await fetch(`${sandbox.url}/webhooks`, {
    headers: { 'x-api-key': 'sandbox-key', 'user-agent': 'old-app/1.2' },
  })
  const page = await openPage(`${sandbox.url}/_sandbox/ui/faults`)
  await page.getByLabel('What goes wrong').selectOption('Error 503, call not run')
  await press(page, 'Add', 'Added: Error 503')
  await sandbox.api('GET', '/users?email=alice@example.com').catch(() => {})
  await visit(page, `${sandbox.url}/_sandbox/ui/requests`)
  await page.getByLabel('Any version').selectOption('v1')
  await expect.poll(() => rows(page).count()).toBe(1)
  await page.getByLabel('Find in requests').fill('OLD-APP/1.2')
  await page.getByLabel('Any version').selectOption('')
  await page.getByText('1 request', { exact: true }).waitFor()
  await visit(page, `${sandbox.url}/_sandbox/ui/requests?status=503`)
  await page.locator('.row-link').click()
  await page.getByRole('link', { name: /^fault_1: / }).click()
  await page.waitForURL('**/_sandbox/ui/faults#fault_1')
})

it('the global search finds a row by its full or shortened id, and by an e-mail address', async () => {
  const { url, buy, control } = await startFailed()
  const ui = '/_sandbox/ui'
  const alice = await control('GET', '/users/alice@example.com')
  const page = await openPage(`${url}/_sandbox/`)
  for (const [words, target] of [
    [buy.id, `${ui}/transactions/${buy.id}`],
    [buy.id.slice(0, 8), `${ui}/transactions/${buy.id}`],
    [`${buy.id.slice(0, 8)}…${buy.id.slice(-4)}`, `${ui}/transactions/${buy.id}`],
    ['Alice@example.com', `${ui}/users/${alice.id}`],
    ['dlv_1', `${ui}/webhooks/dlv_1`],
    ['quotes.ttl', `${ui}/settings?q=quotes.ttl`],
  ] as const) {
    const query = new URLSearchParams({ q: words })
    await visit(page, `${url}${ui}/search?${query}`)
    await page.locator(`main [href*="${target}"]`).first().waitFor()
  }
})

it('the global search adds one page to the history if Enter is pressed before it searches what was typed', async () => {
  const { dashboard } = await startStory()
  const page = await openPage('about:blank', {})
  await page.clock.install()
  await page.goto(dashboard)
  await page.locator('.causes > li').first().waitFor()
  const count = () => page.evaluate(() => history.length)
  const before = await count()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.keyboard.press('/')
  await page.keyboard.type('alice')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Results for “alice”' }).waitFor()
  await page.clock.runFor(1_000)
  expect(await count()).toBe(before + 1)
})

it('the global search lists what it finds, and fits 1280 pixels', async () => {
  const { url, api, control, buy, receiver } = await startFailed()
  receiver.mend()
  await api('PUT', '/webhook-configurations', { url: 'http://127.0.0.1:9/gone' })
  await control('POST', `/simulate/transactions/${buy.id}/funds-received`)
  await api('PUT', '/webhook-configurations', { url: receiver.url })
  const { deliveries } = await control('GET', '/webhooks/deliveries')
  await control('POST', `/webhooks/deliveries/${deliveries.at(-1).id}/resend`)
  const page = await openSized(`${url}/_sandbox/`, { width: 1280, height: 800 })
  await page.keyboard.press('/')
  await page.keyboard.type('alice')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Webhooks' }).waitFor()
  const right = await page
    .locator('.rows')
    .evaluateAll((all) => all.map((table) => table.getBoundingClientRect().right))
  expect(Math.max(...right)).toBeLessThanOrEqual(1280)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280)
})

it('every page searches as you type, lists its keys, and closes a detail with Escape', async () => {
  const { url, buy, dashboard } = await startFailed()
  const page = await openPage(dashboard)
  await page.keyboard.press('/')
  await page.keyboard.type('427')
  const found = page.getByRole('region', { name: 'Transactions' })
  await expect.poll(() => found.innerText()).toContain(buy.id.slice(0, 8))
  expect(await found.innerText()).toContain('12:00:00')
  const calls = page.getByRole('region', { name: 'Requests' })
  expect(await calls.innerText()).toContain('req_')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'hidden' })
  await visit(page, `${url}/_sandbox/ui/transactions/${buy.id}`)
  await page.keyboard.press('Escape')
  await page.waitForURL('**/_sandbox/ui/transactions')
})

it('every page is dark if the system is, and shows its whole clock on a phone', async () => {
  const { url } = await startStory()
  const page = await openSized(`${url}/_sandbox/ui/users`, PHONE.viewport)
  const background = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const light = await background()
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await background()).not.toBe(light)
  await page.emulateMedia({ colorScheme: 'light' })
  const clock = page.locator('#clock')
  expect(await clock.evaluate((bar) => bar.scrollWidth - bar.clientWidth)).toBe(0)
  expect((await clock.boundingBox())?.height).toBeLessThan(100)
  await press(page, '+24 h', 'Clock advanced by 24 h')
})

it('the page of the world takes a fixture from a file', async () => {
  const { url } = await startStory()
  const page = await openPage(`${url}/_sandbox/ui/world`)
  const fixture = { users: [{ email: 'zoe@example.com' }] }
  await page.getByLabel('File with a fixture').setInputFiles({
    name: 'mine.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(fixture)),
  })
  await page.getByText('World loaded from mine.json').waitFor()
  await visit(page, `${url}/_sandbox/ui/users`)
  await page.getByRole('link', { name: 'zoe@example.com' }).waitFor()
})
