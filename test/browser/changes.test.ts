import { describe, expect, it } from 'vitest'
import { openPage, press, useBrowser } from './browser.ts'
import { apiOf, NOON, start, startStory } from './sandbox.ts'

useBrowser()

describe('assumptions', () => {
  it('are switched, found and put back', async () => {
    const sandbox = await startStory()
    const page = await openPage(`${sandbox.url}/_sandbox/ui/assumptions`)
    await page.locator('[name="transactions.cancelledStatus"]').selectOption('canceled')
    await page.getByText('transactions.cancelledStatus is changed').waitFor()
    await page.locator('[name="quotes.ttl"]').fill('5m')
    await page.keyboard.press('Enter')
    await page.getByText('quotes.ttl is changed').waitFor()
    await page.getByText('2 changed').waitFor()
    const settings = await sandbox.control('GET', '/settings')
    expect(settings['transactions.cancelledStatus']).toBe('canceled')
    expect(settings['quotes.ttl']).toBe('5m')
    await page.locator('[name="quotes.ttl"]').fill('soon')
    await page.keyboard.press('Enter')
    const reason = page.locator('#setting-quotes\\.ttl .field-error')
    await reason.getByText('quotes.ttl must be a length of time').waitFor()
    expect(await page.locator('[name="quotes.ttl"]').inputValue()).toBe('soon')
    await page.getByLabel('Find in assumptions').fill('cancelledStatus')
    await press(page, 'Back to cancelled', 'is cancelled again')
    await page.getByText('1 changed').waitFor()
  })
})

describe('faults', () => {
  it('are added, met and removed', async () => {
    const sandbox = await startStory()
    const page = await openPage(`${sandbox.url}/_sandbox/ui/faults`)
    await page.getByText('Everything works.').waitFor()
    await page.getByLabel('Path, where * is anything').fill('/v2/quotes*')
    await press(page, 'Add fault', 'The fault is added')
    await page.getByText('0 of 1 done').waitFor()
    const query = 'leftSideLabel=CAD&leftSideValue=100&rightSideLabel=USDC-ETH'
    const asked = await fetch(`${sandbox.url}/v2/quotes?${query}`, {
      headers: { 'x-api-key': 'sandbox-key' },
    })
    expect(asked.status).toBe(503)
    const form = page.getByRole('form', { name: 'Webhook faults' })
    await form.getByLabel('Bad signature').check()
    await form.getByRole('button', { name: 'Add fault' }).click()
    await page.getByText('"signature":"bad"').waitFor()
    await page.getByRole('button', { name: 'Remove', exact: true }).first().click()
    await page.getByText('The fault is removed').waitFor()
    await page.getByRole('button', { name: 'Remove all' }).click()
    await page.getByText('Everything works.').waitFor()
  })
})

describe('scenarios', () => {
  it('play with their steps, and say how it ended', async () => {
    const { url } = await start('--clock', NOON)
    const page = await openPage(`${url}/_sandbox/ui/scenarios`)
    await page.getByRole('link', { name: 'A buy completes' }).click()
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await page.locator('.step summary').first().waitFor()
    expect(await page.locator('[data-played]').innerText()).toBe('playing')
    await page.getByText(/^passed, \d+ steps$/).waitFor({ timeout: 20_000 })
    expect(await page.locator('.step').count()).toBeGreaterThan(2)
    await page.locator('.step summary').first().click()
    await expect.poll(() => page.locator('.step .calls').first().isVisible()).toBe(true)
  })
})

describe('the world', () => {
  it('is copied, restored and reset, and asks before it forgets', async () => {
    const sandbox = await startStory()
    const page = await openPage(`${sandbox.url}/_sandbox/ui/world`)
    await page.getByLabel('Name of the snapshot').fill('before')
    await press(page, 'Take snapshot', 'The world is copied')
    await sandbox.verified('ana@example.com')
    await expect.poll(() => page.locator('#nav-users .count').innerText()).toBe('2')
    await page.getByRole('button', { name: 'Restore' }).click()
    await press(page, 'Go back?', 'The world is as in before')
    await expect.poll(() => page.locator('#nav-users .count').innerText()).toBe('1')
    await page.getByRole('button', { name: 'Delete' }).click()
    await press(page, 'Delete it?', 'before is deleted')
    await page.getByText('None yet. A snapshot keeps').waitFor()

    await page.getByLabel('CAD for 1 USDC').fill('1.5')
    await press(page, 'Set', 'The rates are set')
    expect((await sandbox.control('GET', '/rates')).USDC.cad).toBe(1.5)

    await page.getByLabel('Fixture').fill('cast')
    await page.getByRole('button', { name: 'Reset this world' }).click()
    expect((await sandbox.control('GET', '/users')).total).toBe(1)
    await press(page, 'Delete everything?', 'The world is as after the start')
    await expect.poll(() => page.locator('#nav-users .count').innerText()).toBe('5')
  })

  it('stands beside others, and every link stays in its own', async () => {
    const { url } = await start('--fixture', 'cast', '--clock', NOON)
    const page = await openPage(`${url}/_sandbox/ui/world`)
    await page.getByLabel('Name of a world').fill('worker-1')
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await page.waitForURL('**/w/worker-1/_sandbox/')
    const worker = apiOf(`${url}/w/worker-1`)
    for (const part of ['users', 'transactions', 'inbox', 'deliveries', 'requests', 'world']) {
      await page.locator(`#nav-${part}`).click()
      await page.waitForURL(`**/w/worker-1/_sandbox/ui/${part}`)
    }
    await page.locator('#nav-users').click()
    await page.getByRole('link', { name: 'bob@example.com' }).click()
    await press(page, 'Verify', 'The user is now verified')
    expect((await worker.control('GET', '/users/bob@example.com')).status).toBe('verified')
    const here = apiOf(url)
    expect((await here.control('GET', '/users/bob@example.com')).status).toBe('in-review')
    await page.locator('#worlds summary').click()
    await page.locator('#worlds').getByRole('link', { name: 'default' }).click()
    await page.waitForURL(`${url}/_sandbox/`)
    await page.locator('#nav-world').click()
    await page.getByRole('button', { name: 'End' }).click()
    await press(page, 'End it?', 'The world worker-1 ended')
  })
})
