import { expect, it } from 'vitest'
import { copied, openPage, press, useBrowser, visit } from './browser.ts'
import { startStory } from './sandbox.ts'

useBrowser()

it('deliveries show the exact bytes and the signature, and can be resent, even with a bad signature', async () => {
  const sandbox = await startStory()
  await sandbox.buy(sandbox.token, 250, { externalSessionId: 'é漢🙂' })
  await sandbox.control('POST', '/webhooks/drain')
  const page = await openPage(`${sandbox.url}/_sandbox/ui/webhooks/dlv_1`)
  const { requests: caught } = await sandbox.control('GET', '/catch/me/requests')
  await page.getByLabel('Copy the request body').click()
  expect(await copied(page)).toBe(caught[0].body)
  await page.getByText('It matches the exact body').waitFor()
  await expect.poll(() => page.locator('.detail').innerText()).toContain('X-Service-Timestamp')

  await press(page, 'Resend', 'Sent again')
  const attempts = page.getByRole('region', { name: 'Attempts' }).locator('tbody tr')
  let count = 2
  await expect.poll(() => attempts.count()).toBe(count)
  for (const [change, toast, verdict] of [
    ['body', 'a changed body', 'was changed after it was signed'],
    ['signature', 'a wrong', 'signed the webhook with a wrong secret'],
    ['timestamp', 'an old', 'The timestamp is more than 300 s old'],
  ] as const) {
    await page.getByLabel('What to change').selectOption(change)
    await press(page, 'Resend with this change', `Your receiver accepted a webhook with ${toast}`)
    expect(await page.locator('.toast').last().getAttribute('class')).toContain('bad')
    count++
    await expect.poll(() => attempts.count()).toBe(count)
    await attempts.last().getByRole('link').first().click()
    await page.getByText(verdict).waitFor()
    expect(await page.locator('.detail-head .badge').getAttribute('class')).toContain('bad')
    await page.goBack()
    await page.getByText('this one').waitFor()
  }
  await visit(page, `${sandbox.url}/_sandbox/ui/webhooks?outcome=delivered`)
  await expect.poll(() => page.locator('.rows tbody tr').count()).toBe(5)
})

it('requests say why they were refused, and what would work', async () => {
  const sandbox = await startStory()
  await sandbox.buy(sandbox.token, 5).catch(() => {})
  const page = await openPage(`${sandbox.url}/_sandbox/ui/requests`)
  await page.getByLabel('Any status').selectOption('errors')
  await expect.poll(() => page.locator('.rows tbody tr').count()).toBe(1)
  await page.locator('.row-link').first().click()
  await page.getByText('must be worth at least 10 CAD').first().waitFor()
  await page.getByText('Limits: Per transaction', { exact: true }).waitFor()
  await page.getByLabel('Copy curl of this request').click()
  expect(await copied(page)).toMatch(
    /^curl -sS -X POST http:\S+ \\\n {2}-H 'x-api-key: sandbox-key' \\\n {2}-H 'Authorization: Bearer ey[\w.-]+' \\\n {2}-H 'content-type: application\/json' \\\n {2}--data-binary /,
  )
})
