import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openPage, openSized, useBrowser, visit } from './browser.ts'
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

it('the rows of a list all have one height, with and without a selected row beside them', async () => {
  const { url } = await startTraded()
  const page = await openSized(`${url}/_sandbox/`, { width: 1280, height: 800 })
  for (const list of ['transactions', 'webhooks', 'requests', 'inbox', 'users']) {
    await visit(page, `${url}/_sandbox/ui/${list}`)
    expect(await heightsOf(page), list).toEqual([38])
    await page.locator('.row-link').first().click()
    await page.locator('.detail').waitFor()
    expect(await heightsOf(page), `${list}, beside one`).toHaveLength(1)
  }
})

it('a list shows when each webhook was sent, and finds an amount in any form in which a page shows it', async () => {
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
    await visit(page, `${url}/_sandbox/ui/${list}?q=205.50`)
    expect(await rows(page).count(), list).toBe(count)
  }
})

it('a long list says how many rows arrived while it was scrolled down, and leads to them', async () => {
  const { url, api } = await startTraded()
  const add = (count: number) =>
    Promise.all(Array.from({ length: count }, () => api('GET', '/users?email=late@example.com')))
  await add(40)
  const page = await openPage(`${url}/_sandbox/ui/requests`)
  const button = page.locator('#new-rows')
  const before = Number(await page.locator('#nav-requests .count').innerText())
  await add(1)
  await expect.poll(() => page.locator('#nav-requests .count').innerText()).toBe(String(before + 1))
  expect(await button.isVisible()).toBe(false)
  await page.evaluate(() => scrollTo({ top: 500 }))
  await add(3)
  await button.getByText('3 new', { exact: true }).waitFor()
  await add(60)
  await button.getByText('50+ new', { exact: true }).waitFor()
  await button.click()
  await button.waitFor({ state: 'hidden' })
  expect(await page.evaluate(() => scrollY)).toBe(0)
})

it('a long list loads older rows when j reaches its end, and one step back leaves the details', async () => {
  const { url, api } = await startTraded()
  for (let count = 0; count < 6; count++) {
    await Promise.all(Array.from({ length: 10 }, () => api('GET', '/users?email=a@example.com')))
  }
  const list = `${url}/_sandbox/ui/requests?q=GET`
  const page = await openPage(list)
  const id = (at: number) => page.locator('.row-link').nth(at).getAttribute('id')
  const chosen = page.locator('.rows .chosen .row-link')
  await page.locator('.row-link').nth(49).click()
  await page.locator('.detail').waitFor()
  const last = await id(49)
  await page.keyboard.press('j')
  await expect.poll(() => rows(page).count()).toBeGreaterThan(50)
  await page.keyboard.press('j')
  await expect.poll(() => chosen.getAttribute('id')).toBe(await id(50))
  await page.keyboard.press('k')
  await expect.poll(() => chosen.getAttribute('id')).toBe(last)
  await page.goBack()
  await page.waitForURL(list)
})

it('the rows of the timeline share one grid, even those of yesterday and those of effects', async () => {
  const sandbox = await startTraded()
  await sandbox.buy(sandbox.token, 111)
  await sandbox.control('POST', '/clock/advance', { by: '30h' })
  const token = await sandbox.logIn('alice@example.com')
  await sandbox.buy(token, 333)
  const page = await openPage(sandbox.dashboard)
  for (const width of [1280, 1600, 1920]) {
    await page.setViewportSize({ width, height: 900 })
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
          .map((each) => [each.textContent ?? '', each.getAttribute('title')]),
      )
    // Only a long query may be cut, and on a wide screen not even that.
    expect(
      cut.filter(([text, title]) => width >= 1920 || !text?.includes('?') || title !== text),
      String(width),
    ).toEqual([])
  }
})

it('details at 1280 by 800 begin their timeline above the fold', async () => {
  const sandbox = await startTraded()
  const { id } = await sandbox.buy(sandbox.token, 100)
  const page = await openSized(sandbox.dashboard, { width: 1280, height: 800 })
  for (const path of [`transactions/${id}`, 'users/alice@example.com']) {
    await visit(page, `${sandbox.url}/_sandbox/ui/${path}`)
    const box = await page.getByRole('heading', { name: 'Timeline' }).boundingBox()
    expect(box?.y, path).toBeLessThan(720)
  }
})
