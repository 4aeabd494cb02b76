import { expect, it } from 'vitest'
import { openPage, press, useBrowser, visit } from './browser.ts'
import { startStory } from './sandbox.ts'

useBrowser()

/** A buy, and an earlier one of the same id that a restore took back. */
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

it('the timeline has a line between what was done before a restore and what was done after it', async () => {
  const sandbox = await startRestored()
  const page = await openPage(sandbox.dashboard)
  const entries = page.locator('.causes > li')
  await page.locator('.restored', { hasText: 'Restored to “before”' }).waitFor()
  const texts = await entries.allInnerTexts()
  expect(texts[4]).toBe('Restored to “before”')
  expect(texts.slice(0, 4).join('\n')).toContain('222.00 CAD')
  const former = entries.nth(6)
  await former.getByText('POST /v2/transactions').waitFor()
  await former.getByText('transaction.update: pending').waitFor()
})

it('a reset says how many rows it deleted, and an old link says why its row is gone', async () => {
  const sandbox = await startRestored()
  const page = await openPage(`${sandbox.url}/_sandbox/ui/world`)
  await page.getByRole('button', { name: 'Reset this world' }).click()
  await press(page, 'Delete 4 webhooks and 9 calls?', 'World reset: deleted 4 webhooks and 9 calls')
  await visit(page, `${sandbox.url}/_sandbox/ui/webhooks/dlv_2`)
  await page
    .getByText(/There is no delivery dlv_2; it was deleted when the world was reset at .*/)
    .waitFor()
  await visit(page, `${sandbox.url}/_sandbox/ui/requests/req_99`)
  await page.getByText('There is no request req_99 yet.').waitFor()
})
