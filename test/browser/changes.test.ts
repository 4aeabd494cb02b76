import { describe, expect, it } from 'vitest'
import { openPage, press, useBrowser } from './browser.ts'
import { apiOf, NOON, start, startStory } from './sandbox.ts'

useBrowser()

describe('settings', () => {
  it('are switched, found and put back', async () => {
    const sandbox = await startStory()
    const page = await openPage(`${sandbox.url}/_sandbox/ui/settings`)
    await page.locator('[name="transactions.cancelledStatus"]').selectOption('canceled')
    await page.getByText('transactions.cancelledStatus changed').waitFor()
    await page.locator('[name="quotes.ttl"]').fill('5m')
    await page.keyboard.press('Enter')
    await page.getByText('quotes.ttl changed').waitFor()
    await page.getByText('2 changed').waitFor()
    const readSetting = async (id: string) =>
      (await sandbox.control('GET', `/settings/${id}`)).value
    expect(await readSetting('transactions.cancelledStatus')).toBe('canceled')
    expect(await readSetting('quotes.ttl')).toBe('5m')
    await page.locator('[name="quotes.ttl"]').fill('soon')
    await page.keyboard.press('Enter')
    const reason = page.locator('#setting-quotes\\.ttl .field-error')
    await reason.getByText('quotes.ttl must be a length of time').waitFor()
    expect(await page.locator('[name="quotes.ttl"]').inputValue()).toBe('soon')
    await page.getByLabel('Find in settings').fill('cancelledStatus')
    await page.getByText('1 setting, 1 changed').waitFor()
    await press(page, 'Back to cancelled', 'is back to cancelled')
    await page.getByLabel('Find in settings').fill('')
    await page.getByLabel('Changed only').check()
    await page.getByText('1 setting, 1 changed').waitFor()
    await page.getByLabel('Search everything').fill('quotes.ttl')
    await page.getByRole('link', { name: 'How long does a quote' }).click()
    await page.locator('[name="quotes.ttl"]').waitFor()
  })
})

describe('faults', () => {
  it('are added for one operation and so many times, met and removed', async () => {
    const sandbox = await startStory()
    const page = await openPage(`${sandbox.url}/_sandbox/ui/faults`)
    await page.getByText('No faults.').waitFor()
    await page.getByLabel('Calls of Slow API').selectOption('createUser')
    await page.getByLabel('How often: Slow API').fill('4')
    await press(page, 'Add: Slow API', 'Added: Slow API')
    await page.getByText('0 of 4 done').waitFor()
    const { items } = await sandbox.control('GET', '/faults')
    expect(items).toMatchObject([{ match: { operation: 'createUser' }, times: 4 }])
    await page.getByRole('button', { name: 'Remove all' }).click()
    await page.getByText('No faults.').waitFor()
    await press(page, 'Add: 503 once', 'Added: 503 once')
    expect(await page.locator('#nav-faults .count').innerText()).toBe('1')
    await page.getByText('0 of 1 done').waitFor()
    const query = 'leftSideLabel=CAD&leftSideValue=100&rightSideLabel=USDC-ETH'
    const asked = await fetch(`${sandbox.url}/v2/quotes?${query}`, {
      headers: { 'x-api-key': 'sandbox-key' },
    })
    expect(asked.status).toBe(503)
    await page.getByText('1 of 1 done').waitFor()
    await page.locator('#nav-faults .count').waitFor({ state: 'detached' })
    await press(page, 'Add: Webhook twice', 'Added: Webhook twice')
    await page.getByText('any webhook: sent twice').waitFor()
    await page.getByRole('link', { name: 'createFault in the reference' }).click()
    const form = page.getByRole('form', { name: 'Try it' })
    await form.getByLabel('Body').fill('{"on": "webhook", "then": {"mutate": "signature"}}')
    await form.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('region', { name: 'Response', exact: true }).waitFor()
    await page.goBack()
    await page.locator('.fault b').getByText('Bad signature').waitFor()
    await page.getByRole('button', { name: 'Remove', exact: true }).first().click()
    await page.getByText('Fault removed').waitFor()
    await page.getByRole('button', { name: 'Remove all' }).click()
    await page.getByText('No faults.').waitFor()
  })
})

describe('the world', () => {
  it('is copied, restored and reset, and asks before it forgets', async () => {
    const sandbox = await startStory()
    const page = await openPage(`${sandbox.url}/_sandbox/ui/world`)
    await page.getByLabel('Name of the snapshot').fill('before')
    await press(page, 'Take snapshot', 'Snapshot taken')
    await sandbox.verified('ana@example.com')
    await expect.poll(() => page.locator('#nav-users .count').innerText()).toBe('2')
    await page.getByRole('button', { name: 'Restore' }).click()
    await press(page, 'Restore it?', 'Restored before')
    await expect.poll(() => page.locator('#nav-users .count').innerText()).toBe('1')
    await page.getByRole('button', { name: 'Delete' }).click()
    await press(page, 'Delete it?', 'before deleted')
    await page.getByText('There are none. Take a snapshot').waitFor()

    await page.getByLabel('CAD for 1 USDC').fill('1.5')
    await press(page, 'Set', 'Rates updated')
    expect((await sandbox.control('GET', '/rates')).USDC.cad).toBe(1.5)

    await sandbox.verified('bo@example.com')
    await sandbox.verified('cy@example.com')
    await expect.poll(() => page.locator('#nav-users .count').innerText()).toBe('3')
    await sandbox.control('POST', '/webhooks/drain')
    const { deliveries } = await sandbox.control('GET', '/webhooks/deliveries')
    const { requests } = await sandbox.control('GET', '/requests')
    expect([deliveries.length, requests.length].every((count) => count > 1)).toBe(true)
    const lost = `${deliveries.length} webhooks and ${requests.length} calls`
    // The question is the one of the page as it was when the button was pressed.
    await page.getByText(`forgets ${lost}.`).waitFor()
    await page.getByRole('combobox', { name: 'Fixture' }).selectOption('cast')
    await page.getByRole('button', { name: 'Reset this world' }).click()
    expect((await sandbox.control('GET', '/users')).total).toBe(3)
    await press(page, `Forget ${lost}?`, 'World reset')
    await expect.poll(() => page.locator('#nav-users .count').innerText()).toBe('5')
    const { url } = await sandbox.api('GET', '/webhook-configurations')
    expect(url).toBe(`${sandbox.url}/_sandbox/catch/me`)

    await page.getByLabel('Keep webhook URLs').uncheck()
    await page.getByRole('button', { name: 'Reset this world' }).click()
    const confirm = await page.getByRole('button', { name: /^Forget / }).innerText()
    await press(page, confirm, 'World reset')
    await expect(sandbox.api('GET', '/webhook-configurations')).rejects.toThrow('No webhook')
  })

  it('stands beside others, and every link stays in its own', async () => {
    const { url } = await start('--fixture', 'cast', '--clock', NOON)
    const page = await openPage(`${url}/_sandbox/ui/world`)
    await page.getByLabel('Name of a world').fill('worker-1')
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await page.waitForURL('**/w/worker-1/_sandbox/')
    const worker = apiOf(`${url}/w/worker-1`)
    for (const part of ['users', 'transactions', 'inbox', 'webhooks', 'requests', 'world']) {
      await page.locator(`#nav-${part}`).click()
      await page.waitForURL(`**/w/worker-1/_sandbox/ui/${part}`)
    }
    await page.locator('#nav-users').click()
    await page.getByRole('link', { name: 'bob@example.com' }).click()
    await press(page, 'Verify', 'The user is now verified')
    expect((await worker.control('GET', '/users/bob@example.com')).status).toBe('verified')
    const here = apiOf(url)
    expect((await here.control('GET', '/users/bob@example.com')).status).toBe('in-review')
    const menu = page.getByLabel('World worker-1, all worlds')
    await menu.click()
    const rows = page.locator('[data-worlds] li')
    await expect
      .poll(() => rows.allInnerTexts())
      .toEqual([
        'default\n\n2026-07-01 12:00:00 frozen · cast · no calls',
        'worker-1\n\n2026-07-01 12:00:00 frozen · cast · no calls',
      ])
    await page.keyboard.press('Escape')
    await menu.click()
    await page.getByRole('link', { name: 'default', exact: true }).click()
    await page.waitForURL(`${url}/_sandbox/ui/users`)
    await page.locator('#nav-world').click()
    await page.getByRole('button', { name: 'End' }).click()
    await press(page, 'End it?', 'World worker-1 ended')
  })
})
