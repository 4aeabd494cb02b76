import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openPage, openSized, press, useBrowser } from './browser.ts'
import { startReceiver } from './receiver.ts'
import { type Json, startStory } from './sandbox.ts'

useBrowser()

const rows = (page: Page) => page.locator('.rows tbody tr')

/** As many failed webhooks as buys, over a page of them. */
async function startFailed(count: number) {
  const sandbox = await startStory()
  await sandbox.control('PATCH', '/settings', { 'limits.active': 1000 })
  const path = '/simulate/users/alice@example.com/buy'
  const receiver = await startReceiver()
  await sandbox.api('PUT', '/webhook-configurations', { url: receiver.url })
  for (let index = 0; index < count; index++) {
    await sandbox.control('POST', path, { cad: 100 + index, deliver: 'async' })
  }
  await sandbox.control('POST', '/webhooks/drain')
  return { ...sandbox, receiver }
}

describe('failed webhooks', () => {
  it('failed webhooks are linked from the timeline, and are resent in order', async () => {
    const sandbox = await startFailed(4)
    const { deliveries } = await sandbox.control('GET', '/webhooks/deliveries?failed=true')
    sandbox.receiver.mend()
    const page = await openPage(sandbox.dashboard)
    await page.getByRole('link', { name: '4 failed' }).click()
    await press(page, 'Resend all 4', 'Sent again, 4 webhooks delivered')
    expect(sandbox.receiver.came).toEqual(deliveries.map(({ eventId }: Json) => eventId))
    await page.getByText('No deliveries match.').waitFor()
    expect(await page.getByRole('button', { name: /^Resend all/ }).count()).toBe(0)
  })

  it('failed webhooks are counted again when a resend also fails', async () => {
    const sandbox = await startFailed(2)
    const page = await openPage(`${sandbox.url}/_sandbox/ui/webhooks?outcome=failed`)
    await press(page, 'Resend all 2', 'Sent again, but 2 webhooks failed')
    await page.getByRole('button', { name: 'Resend all 2' }).waitFor()
    await expect.poll(() => rows(page).count()).toBe(2)
  })

  it('the list of failed webhooks keeps its filter, older rows, position and selected row when one is resent', async () => {
    const sandbox = await startFailed(60)
    const list = `${sandbox.url}/_sandbox/ui/webhooks?outcome=failed`
    const page = await openSized(list, { width: 1600, height: 900 })
    await page.getByRole('button', { name: 'Load older' }).click()
    await expect.poll(() => rows(page).count()).toBe(60)
    const third = rows(page).nth(52)
    const event = await third.locator('.row-link').getAttribute('id')
    await third.click()
    await page.locator('.detail').waitFor()
    await page.evaluate(() => scrollTo({ top: 120 }))
    const { href, search } = new URL(page.url())
    const before = await page.evaluate(() => scrollY)
    sandbox.receiver.mend()
    await press(page, 'Resend', 'Sent again, 1 webhook delivered')
    await page.getByText('Resent successfully:').waitFor()
    expect(page.url()).toBe(href)
    expect(search).toBe('?outcome=failed')
    expect(await page.evaluate(() => scrollY)).toBe(before)
    expect(`row-${page.url().match(/dlv_\d+/)}`).toBe(event)
    await page.getByText('59 deliveries').waitFor()
    await expect.poll(() => rows(page).count()).toBe(59)
  })

  it('the keys j and k move through failed webhooks, keep each in view, and add one step to the history', async () => {
    const sandbox = await startFailed(16)
    const list = `${sandbox.url}/_sandbox/ui/webhooks?outcome=failed`
    const page = await openSized(list, { width: 1280, height: 300 })
    const ids = await page.locator('.row-link').evaluateAll((all) => all.map(({ id }) => id))
    for (const id of ids.slice(0, 12)) {
      await page.keyboard.press('j')
      await page.waitForURL(`**/${id.replace('row-', '')}?outcome=failed`)
    }
    const chosen = page.locator('.rows .chosen')
    await expect.poll(() => chosen.locator('.row-link').getAttribute('id')).toBe(ids[11])
    const top = async () => (await chosen.boundingBox())?.y ?? 0
    await expect.poll(top).toBeLessThan(300)
    expect(await top()).toBeGreaterThan(0)
    // Faster than the pages come.
    for (let count = 0; count < 5; count++) await page.keyboard.press('k')
    await expect.poll(() => chosen.locator('.row-link').getAttribute('id')).toBe(ids[6])
    await page.goBack()
    await page.waitForURL(list)
  })
})
