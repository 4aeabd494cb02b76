import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openPage, useBrowser } from './browser.ts'
import { startStory } from './sandbox.ts'

useBrowser()

const rows = (page: Page) => page.locator('.rows tbody tr')
const heads = (page: Page) => page.locator('.rows th').allInnerTexts()
const heightsOf = (page: Page) =>
  rows(page).evaluateAll((all) => [
    ...new Set(all.map((row) => Math.round(row.getBoundingClientRect().height))),
  ])

/** A buy that is closed, and one that is not. */
async function startTraded() {
  const sandbox = await startStory()
  const first = await sandbox.buy(sandbox.token, 205.5)
  await sandbox.control('POST', `/simulate/transactions/${first.id}/cancelled`)
  await sandbox.sell(sandbox.token, 1234.567891)
  await sandbox.control('POST', '/webhooks/drain')
  return sandbox
}

describe('a list', () => {
  it('has one button for its filters beside a chosen row, and chips that remove them', async () => {
    const { url } = await startTraded()
    const page = await openPage(`${url}/_sandbox/ui/transactions`)
    await page.getByLabel('Any side').selectOption('buy')
    await expect.poll(() => rows(page).count()).toBe(1)
    await rows(page).first().click()
    await page.locator('.detail').waitFor()
    expect(await page.getByLabel('Any side').isVisible()).toBe(false)
    await page.getByText('Filters (1)').click()
    expect(await page.getByLabel('Any side').inputValue()).toBe('buy')
    await page.keyboard.press('Escape')
    const chip = page.getByRole('link', { name: 'Remove the filter side: buy' })
    await chip.click()
    await expect.poll(() => rows(page).count()).toBe(2)
    await chip.waitFor({ state: 'detached' })
  })

  it('leaves out a column that says the same in every row, until one differs', async () => {
    const { url } = await startTraded()
    const page = await openPage(`${url}/_sandbox/ui/requests`)
    expect(await heads(page)).toEqual(['Request', 'Status', 'Result', 'Time ↓'])
    await fetch(`${url}/webhooks`, {
      headers: { 'x-api-key': 'sandbox-key', 'user-agent': 'old-app/1.2' },
    })
    await expect
      .poll(() => heads(page))
      .toEqual(['Request', 'Status', 'Version', 'Client', 'Result', 'Time ↓'])
  })

  it('has rows of one height, alone and beside a chosen row', async () => {
    const { url } = await startTraded()
    const viewport = { width: 1280, height: 800 }
    const page = await openPage(`${url}/_sandbox/ui/transactions`, { viewport })
    for (const list of ['transactions', 'webhooks', 'requests', 'inbox']) {
      await page.goto(`${url}/_sandbox/ui/${list}`)
      expect(await heightsOf(page), list).toHaveLength(1)
      await page.locator('.row-link').first().click()
      await page.locator('.detail').waitFor()
      expect(await heightsOf(page), `${list}, beside one`).toHaveLength(1)
    }
  })

  it('shows when each webhook was sent, and finds money as any page writes it', async () => {
    const { url, control } = await startTraded()
    const page = await openPage(`${url}/_sandbox/ui/webhooks`)
    expect(await heads(page)).toContain('Sent (real time)')
    const { deliveries } = await control('GET', '/webhooks/deliveries')
    const sentAt = deliveries.at(-1).sentAt.slice(11, 19)
    await page.getByRole('cell', { name: sentAt }).first().waitFor()
    // Words of a message, and JSON that has 205.5.
    for (const [list, count] of [
      ['inbox', 1],
      ['requests', 2],
      ['transactions', 1],
    ] as const) {
      await page.goto(`${url}/_sandbox/ui/${list}?q=205.50`)
      expect(await rows(page).count(), list).toBe(count)
    }
  })

  it('says how many rows are kept no longer', async () => {
    const { url } = await startTraded()
    const headers = { 'x-api-key': 'sandbox-key' }
    for (let batch = 0; batch < 10; batch++) {
      const path = `${url}/v2/users?email=alice@example.com`
      await Promise.all(Array.from({ length: 100 }, () => fetch(path, { headers })))
    }
    const page = await openPage(`${url}/_sandbox/ui/requests`)
    await page.getByText(/^1,000 requests; \d+ older ones are kept no longer$/).waitFor()
    expect(await page.locator('#nav-requests .count').innerText()).toBe('1000')
  })
})

describe('the timeline', () => {
  it('has one grid in every row, also of yesterday and of what it caused', async () => {
    const sandbox = await startTraded()
    await sandbox.control('POST', '/clock/advance', { by: '30h' })
    const token = await sandbox.logIn('alice@example.com')
    await sandbox.buy(token, 333)
    for (const width of [1280, 1600, 1920]) {
      const page = await openPage(sandbox.dashboard, { viewport: { width, height: 900 } })
      await page.locator('.sum').first().waitFor()
      const leftsOf = (selector: string) =>
        page
          .locator(selector)
          .evaluateAll((all) => [
            ...new Set(all.map((each) => Math.round(each.getBoundingClientRect().left))),
          ])
      expect(await leftsOf('.who .sum'), String(width)).toHaveLength(1)
      expect(await leftsOf('.cause > .cause-line .what'), String(width)).toHaveLength(1)
      const [parent = 0] = await leftsOf('.cause > .cause-line .what')
      const children = await leftsOf('.effect .sort')
      expect(Math.min(...children), String(width)).toBeGreaterThan(parent)
      const cut = await page
        .locator('.cause > .cause-line .what')
        .evaluateAll((all) =>
          all
            .filter((each) => each.scrollWidth > each.clientWidth + 1)
            .map((each) => each.textContent ?? ''),
        )
      // Only a long query may be cut, and on a wide screen not even that.
      expect(
        cut.filter((text) => width >= 1920 || !text.includes('?')),
        String(width),
      ).toEqual([])
    }
  })
})

describe('details at 1280 by 800', () => {
  it('begin their timeline above the fold', async () => {
    const sandbox = await startTraded()
    const { id } = await sandbox.buy(sandbox.token, 100)
    const page = await openPage('about:blank', { viewport: { width: 1280, height: 800 } })
    for (const path of [`transactions/${id}`, 'users/alice@example.com']) {
      await page.goto(`${sandbox.url}/_sandbox/ui/${path}`)
      const box = await page.getByRole('heading', { name: 'Timeline' }).boundingBox()
      expect(box?.y, path).toBeLessThan(720)
    }
  })
})
