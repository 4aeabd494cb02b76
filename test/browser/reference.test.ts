import { expect, it } from 'vitest'
import { copied, openPage, useBrowser } from './browser.ts'
import { start, startStory } from './sandbox.ts'

useBrowser()

it('tries calls with the key of the world and the token of a user, and keeps their answers', async () => {
  const sandbox = await startStory()
  const page = await openPage(`${sandbox.url}/_sandbox/`)
  await page.locator('#nav-reference').click()
  await page.getByLabel('Find an operation').fill('rate')
  const rows = page.locator('.operations .row-link')
  await expect.poll(() => rows.count()).toBeLessThan(12)
  await rows.filter({ hasText: '/v2/quotes' }).click()
  const form = page.getByRole('form', { name: 'Try it' })
  const answer = page.getByRole('region', { name: 'Answer', exact: true })
  await form.getByLabel('leftSideValue').fill('321')
  await form.getByLabel('leftSideValue').press('Enter')
  await expect.poll(() => answer.innerText()).toContain('"leftSideValue": 321')
  expect(await answer.locator('.j-name').first().innerText()).toBe('"success"')

  await page.goto(`${sandbox.url}/_sandbox/reference/createTransaction`)
  expect(await form.getByLabel('Body').inputValue()).toContain('"leftSideValue": 321')
  await form.getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => answer.locator('.badge').innerText()).toBe('200')
  await expect.poll(() => page.locator('#nav-transactions .count').innerText()).toBe('1')
  expect(await answer.innerText()).toContain('pending request money transfer')
  await answer.getByRole('button', { name: 'Copy curl' }).click()
  expect(await copied(page)).toMatch(/^curl .*authorization: Bearer ey.*\/v2\/transactions$/s)

  await form.getByLabel('User who logs in').fill('nobody@example.com')
  await form.getByRole('button', { name: 'Send' }).click()
  await page.getByText('No access token for nobody@example.com').waitFor()
  await form.getByLabel('User who logs in').fill('')
  await form.getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => answer.locator('.badge').innerText()).toBe('401')
  await answer.getByRole('link', { name: 'Open in the journal' }).click()
  await page.getByRole('heading', { name: 'POST /v2/transactions' }).waitFor()
})

it('sends what is typed, and says when it is no JSON', async () => {
  const sandbox = await startStory()
  const page = await openPage(`${sandbox.url}/_sandbox/reference/advanceClock`)
  const form = page.getByRole('form', { name: 'Try it' })
  const answer = page.getByRole('region', { name: 'Answer', exact: true })
  await form.getByLabel('Body').fill('{"by": ')
  await form.getByRole('button', { name: 'Send' }).click()
  await page.getByText('The body is no JSON').waitFor()
  await form.getByLabel('Body').fill('{"by": "2h"}')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect.poll(() => answer.innerText()).toContain('"to": "2026-07-01T14:00:00.000Z"')
  await expect.poll(() => page.locator('#now').innerText()).toContain('14:00:00')

  // Another operation starts without the answer of this one.
  await page.locator('#row-freezeClock').click()
  await page.getByRole('heading', { name: 'Stop world time' }).waitFor()
  expect(await answer.count()).toBe(0)
  expect(await page.locator('form[data-try]').getAttribute('data-path')).toContain('freeze')
  await page.goBack()
  await page.getByRole('heading', { name: 'Move world time' }).waitFor()
})

it('works in another world, behind a control token', async () => {
  const { url } = await start('--control-token', 'letmein')
  const page = await openPage(`${url}/w/team-1/_sandbox/reference/getInfo`)
  await page.getByLabel('Control token').fill('letmein')
  await page.getByRole('button', { name: 'Open the inspector' }).click()
  await page.getByRole('button', { name: 'Send' }).click()
  const answer = page.getByRole('region', { name: 'Answer', exact: true })
  await expect.poll(() => answer.innerText()).toContain('"world": "team-1"')
})
