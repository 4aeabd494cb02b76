import { expect, it } from 'vitest'
import { copied, openPage, PHONE, press, useBrowser, visit } from './browser.ts'
import { startAlone, startStory } from './sandbox.ts'

useBrowser()

it('the reference makes calls with the key of the world and the token of a user, and keeps their responses', async () => {
  const sandbox = await startStory()
  const page = await openPage(`${sandbox.url}/_sandbox/`)
  await page.locator('#nav-reference').click()
  await page.getByLabel('Find an operation').fill('rate')
  const rows = page.locator('.operations .row-link')
  await expect.poll(() => rows.count()).toBeLessThan(12)
  await rows.filter({ hasText: '/v2/quotes' }).click()
  const form = page.getByRole('form', { name: 'Try it' })
  const response = page.getByRole('region', { name: 'Response', exact: true })
  await form.getByLabel('leftSideValue').fill('321')
  await form.getByLabel('leftSideValue').press('Enter')
  await expect.poll(() => response.innerText()).toContain('"leftSideValue": 321')
  expect(await response.locator('.j-name').first().innerText()).toBe('"success"')

  await visit(page, `${sandbox.url}/_sandbox/reference/createTransaction`)
  expect(await form.getByLabel('Body').inputValue()).toContain('"leftSideValue": 321')
  await form.getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => response.locator('.badge').innerText()).toBe('200')
  await expect.poll(() => page.locator('#nav-webhooks .count').innerText()).toBe('1')
  expect(await response.innerText()).toContain('pending request money transfer')
  await response.getByRole('button', { name: 'Copy curl' }).click()
  expect(await copied(page)).toMatch(/^curl .*\/v2\/transactions \\\n.*authorization: Bearer ey/s)

  await form.getByLabel('User to log in').fill('nobody@example.com')
  await form.getByRole('button', { name: 'Send' }).click()
  await page.getByText('No access token for nobody@example.com').waitFor()
  await form.getByLabel('User to log in').fill('')
  await form.getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => response.locator('.badge').innerText()).toBe('401')
  await response.getByRole('link', { name: 'Open this request' }).click()
  await page.getByRole('heading', { name: 'POST /v2/transactions' }).waitFor()
})

it('the reference sends what is typed, and shows the response of the API', async () => {
  const sandbox = await startStory()
  const page = await openPage(`${sandbox.url}/_sandbox/reference/advanceClock`)
  const form = page.getByRole('form', { name: 'Try it' })
  const response = page.getByRole('region', { name: 'Response', exact: true })
  await form.getByLabel('Body').fill('{"by": ')
  await form.getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => response.innerText()).toContain('The body is not JSON')
  await form.getByLabel('Body').fill('{"by": "2h"}')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect.poll(() => response.innerText()).toContain('"to": "2026-07-01T14:00:00.000Z"')
  await expect.poll(() => page.locator('#now').innerText()).toContain('14:00:00')

  // Another operation starts without the response of this one.
  await page.locator('#row-freezeClock').click()
  await page.getByRole('heading', { name: 'Stop world time' }).waitFor()
  expect(await response.count()).toBe(0)
  const code = page.getByRole('region', { name: 'Request as code' })
  await expect.poll(() => code.innerText()).toContain('/_sandbox/clock/freeze')
  await page.goBack()
  await page.getByRole('heading', { name: 'Move world time' }).waitFor()
})

it('the reference replaces the previous response when nothing responds', async () => {
  const sandbox = await startStory()
  const page = await openPage(`${sandbox.url}/_sandbox/reference/getInfo`)
  const response = page.getByRole('region', { name: 'Response', exact: true })
  await page.getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => response.innerText()).toContain('"world"')
  const fetched = /\/_sandbox\/info$/
  await page.route(fetched, (route) => route.abort())
  await press(page, 'Send', 'No response: Failed to fetch')
  expect(await response.count()).toBe(0)
  await page.unroute(fetched)
  await page.getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => response.innerText()).toContain('"world"')
})

it('the reference makes a call once, if its button is pressed again before the response', async () => {
  const sandbox = await startStory()
  const page = await openPage(`${sandbox.url}/_sandbox/reference/advanceClock`)
  await page.getByLabel('Body, as JSON').fill('{"by": "1h"}')
  let calls = 0
  await page.route('**/clock/advance', async (route) => {
    calls++
    if (calls === 1) await page.keyboard.press('Enter')
    await route.continue()
  })
  await page.getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => page.locator('#now').innerText()).toContain('13:00:00')
  expect(calls).toBe(1)
})

it('the reference works in another world, behind a control token', async () => {
  const { url } = await startAlone({ controlToken: 'letmein' })
  const page = await openPage(`${url}/w/team-1/_sandbox/reference/getInfo`)
  await page.getByLabel('Control token').fill('letmein')
  await page.getByRole('button', { name: 'Open the inspector' }).click()
  await page.getByRole('button', { name: 'Send' }).click()
  const response = page.getByRole('region', { name: 'Response', exact: true })
  await expect.poll(() => response.innerText()).toContain('"world": "team-1"')
})

it('the reference shows the call as curl while it is typed, beside its response', async () => {
  const sandbox = await startStory()
  const page = await openPage(`${sandbox.url}/_sandbox/reference/createQuote`, {})
  const code = page.getByRole('region', { name: 'Request as code' })
  await expect.poll(() => code.innerText()).toMatch(/^curl -sS .*\/v2\/quotes.* \\\n {2}-H /)
  await page.getByLabel('leftSideValue').fill('77')
  await expect.poll(() => code.innerText()).toContain('leftSideValue=77')
  await page.getByRole('button', { name: 'Send' }).click()
  const response = page.getByRole('region', { name: 'Response', exact: true })
  await response.waitFor()
  const form = await page.getByRole('form', { name: 'Try it' }).boundingBox()
  const box = await response.boundingBox()
  expect(box?.x).toBeGreaterThan((form?.x ?? 0) + (form?.width ?? 0))
  await page.setViewportSize(PHONE.viewport)
  await page.getByRole('button', { name: 'Send' }).click()
  await expect.poll(async () => (await response.boundingBox())?.y).toBeLessThan(780)
})

it('the reference shows the selected operation in the list beside it', async () => {
  const sandbox = await startStory()
  const page = await openPage('about:blank')
  // The operation is found, and shown, before the whole list is.
  await page.route('**/_sandbox/openapi.json', async (route) => {
    await page.locator('#operation-v1PatchWebhooks').waitFor()
    await route.fallback()
  })
  await page.goto(`${sandbox.url}/_sandbox/reference/v1PatchWebhooks`)
  const row = page.locator('#row-v1PatchWebhooks')
  const { height = 0 } = page.viewportSize() ?? {}
  await expect.poll(async () => (await row.boundingBox())?.y).toBeLessThan(height)
})

it('the reference works without a network, under the content security policy', async () => {
  const sandbox = await startStory()
  const page = await openPage('about:blank')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(`${sandbox.url}/_sandbox/reference/createTransaction`)
  await page.getByRole('heading', { name: 'Create a buy or a sell' }).waitFor()
  await page.getByRole('heading', { name: 'Errors' }).waitFor()
  const { origin } = new URL(sandbox.url)
  expect(asked.filter((url) => !url.startsWith(origin))).toEqual([])
})
