import { describe, expect, it } from 'vitest'
import { openPage, press, useBrowser, visit } from './browser.ts'
import { startStory } from './sandbox.ts'

useBrowser()

/** A buy, and another of the same id that a restore has undone. */
async function startRestored() {
  const sandbox = await startStory()
  await sandbox.control('POST', '/snapshots', { name: 'before' })
  const undone = await sandbox.buy(sandbox.token, 111)
  await sandbox.control('POST', `/simulate/transactions/${undone.id}/settled`, { through: true })
  await sandbox.control('POST', '/snapshots/before/restore')
  const token = await sandbox.logIn('alice@example.com')
  const kept = await sandbox.buy(token, 222)
  await sandbox.control('POST', '/webhooks/drain')
  expect(kept.id).toBe(undone.id)
  return { ...sandbox, id: kept.id }
}

describe('after a restore', () => {
  it('the timeline has a line across it, below which the undone entries are marked', async () => {
    const sandbox = await startRestored()
    const page = await openPage(sandbox.dashboard)
    const entries = page.locator('.causes > li')
    const line = page.locator('.restored', { hasText: 'Restored to “before”' })
    await line.waitFor()
    const texts = await entries.allInnerTexts()
    const [before, after] = [texts.slice(0, 4), texts.slice(5)].map((rows) => rows.join('\n'))
    expect(texts[4]).toBe('Restored to “before”')
    expect(before).not.toContain('undone')
    expect(before).toContain('222.00 CAD')
    expect(after).toContain('undone')
    expect(after).not.toContain('222.00 CAD')
    const undone = page.locator('.cause.undone', { hasText: 'POST /v2/transactions' })
    expect(await undone.locator('.who a[href]').count()).toBe(0)
    await undone.getByText('transaction.update: pending').waitFor()
    await page.getByRole('status', { name: 'Counts' }).getByText('3 undone').waitFor()
  })

  it('no page joins what happened to two transactions of one id', async () => {
    const sandbox = await startRestored()
    const page = await openPage(`${sandbox.url}/_sandbox/ui/transactions/${sandbox.id}`)
    const part = page.locator('.detail .causes > li')
    await part.first().waitFor()
    expect(await part.count()).toBe(1)
    expect(await part.locator('.effect .badge').allInnerTexts()).toEqual(['pending', '200'])
    await visit(page, `${sandbox.url}/_sandbox/ui/webhooks`)
    const rows = page.locator('.rows tbody tr')
    const abouts = await rows.locator('.second').allInnerTexts()
    expect(abouts.map((about) => about.split(',')[0])).toEqual(['222.00 CAD', '', '', ''])
    expect(await rows.locator('.tag.undone').count()).toBe(3)
    await rows.last().locator('.row-link').click()
    await page.getByText('Its event is gone, so it cannot be resent.').waitFor()
    expect(await page.getByRole('button', { name: 'Resend' }).count()).toBe(0)
    expect(await page.locator('.detail .table tbody tr').count()).toBe(1)
    const links = page.locator('.detail .fields a')
    const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    expect(hrefs.filter((href) => !href?.includes('/requests/'))).toEqual([])
    await visit(page, `${sandbox.url}/_sandbox/ui/webhooks?q=undone`)
    await expect.poll(() => rows.count()).toBe(3)
  })

  it('what cannot be resent is in no list of failures', async () => {
    const sandbox = await startStory()
    await sandbox.api('PUT', '/webhook-configurations', { url: 'http://127.0.0.1:9/gone' })
    await sandbox.control('POST', '/snapshots', { name: 'before' })
    await sandbox.buy(sandbox.token, 111)
    await sandbox.control('POST', '/webhooks/drain')
    const page = await openPage(`${sandbox.url}/_sandbox/ui/webhooks`)
    await page.getByRole('link', { name: '1 failed' }).waitFor()
    await sandbox.control('POST', '/snapshots/before/restore')
    await page.locator('.rows .tag.undone').waitFor()
    expect(await page.getByRole('link', { name: '1 failed' }).count()).toBe(0)
  })

  it('a reset says how much it forgot, and an old link why it leads nowhere', async () => {
    const sandbox = await startRestored()
    const page = await openPage(`${sandbox.url}/_sandbox/ui/world`)
    await page.getByRole('button', { name: 'Reset this world' }).click()
    await press(
      page,
      'Forget 4 webhooks and 9 calls?',
      'World reset: forgot 4 webhooks and 9 calls',
    )
    await visit(page, `${sandbox.url}/_sandbox/ui/webhooks/dlv_2`)
    await page
      .getByText(/There is no delivery dlv_2; the reset of the world at .* forgot it/)
      .waitFor()
    await visit(page, `${sandbox.url}/_sandbox/ui/requests/req_99`)
    await page.getByText('There is no request req_99 yet.').waitFor()
  })
})
