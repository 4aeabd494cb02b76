import { expect, it } from 'vitest'
import { openPage, press, useBrowser, visit } from './browser.ts'
import { NOON, startAlone, startStory } from './sandbox.ts'

useBrowser()

it('the inspector asks for the control token once, and keeps it from scripts', async () => {
  const token = 'let/me;in="%'
  const { url } = await startAlone({ controlToken: token, clock: NOON })
  const page = await openPage('about:blank')
  expect((await page.goto(`${url}/_sandbox/ui/users`))?.status()).toBe(401)
  await page.getByLabel('Control token').fill('wrong')
  await page.getByRole('button', { name: 'Open the inspector' }).click()
  await page.getByText('That is not the control token').waitFor()
  await page.getByLabel('Control token').fill(token)
  await page.getByRole('button', { name: 'Open the inspector' }).click()
  await page.getByRole('heading', { name: 'Users' }).waitFor()
  await press(page, '+1 h', 'Clock advanced by 1 h')
  await page.reload()
  await page.getByRole('heading', { name: 'Users' }).waitFor()
  const [cookie] = await page.context().cookies()
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
  expect(await page.evaluate(() => document.cookie)).toBe('')
})

it('the inspector of a private world does not show other private worlds, because their names are credentials', async () => {
  const token = 'let-me-in'
  const { url } = await startAlone({ controlToken: token, clock: NOON })
  const create = async (): Promise<string> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const options = { method: 'POST', headers, body: '{}' }
    const response = await fetch(`${url}/_sandbox/worlds`, options)
    return ((await response.json()) as { name: string }).name
  }
  const [own, other] = [await create(), await create()]
  const page = await openPage(`${url}/w/${own}/_sandbox/ui/world`)
  await page.locator('#worlds summary').click()
  await expect.poll(() => page.locator('#worlds-listed li').count()).toBe(1)
  expect(await page.content()).not.toContain(other)
  await visit(page, `${url}/w/${own}/_sandbox/ui/search?q=${other}`)
  await page.getByText('No results', { exact: true }).waitFor()
})

it('pages of other sites can neither call the control API nor frame the inspector', async () => {
  const sandbox = await startStory()
  const { id } = await sandbox.buy(sandbox.token, 100)
  for (const path of [`/simulate/transactions/${id}/cancelled`, `/bank/${id}`]) {
    const { status } = await fetch(`${sandbox.url}/_sandbox${path}`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain', 'sec-fetch-site': 'cross-site' },
      body: '{"decision":"approve"}',
    })
    expect(status, path).toBeGreaterThanOrEqual(403)
  }
  for (const page of [sandbox.dashboard, `${sandbox.url}/_sandbox/demo?view=wallet`]) {
    const { headers } = await fetch(page)
    const settings = headers.get('content-security-policy') ?? ''
    for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]) {
      expect(settings).toContain(part)
    }
    expect(settings).not.toContain('unsafe')
  }
})
