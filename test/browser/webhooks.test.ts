import { expect, it } from 'vitest'
import { copied, openPage, press, useBrowser } from './browser.ts'
import { NOON, start } from './sandbox.ts'

useBrowser()

it('the webhook settings show an error at its field, send a test to the built-in receiver, and rotate the secret', async () => {
  const sandbox = await start({ fixture: 'verified-user', clock: NOON })
  const page = await openPage(sandbox.dashboard)
  await page.locator('#nav-webhooks').click()
  const url = page.locator('[name=url]')
  expect(await page.getByRole('button', { name: 'Send test event' }).isDisabled()).toBe(true)
  await url.fill('http://example.com/hooks')
  await press(page, 'Save', 'url must start with https://')
  expect(await url.getAttribute('aria-invalid')).toBe('true')
  expect(await url.inputValue()).toBe('http://example.com/hooks')
  await page.locator('.field-error').getByText('url must start with https://').waitFor()
  await sandbox.api('POST', '/users', { email: 'redraws@example.com' })
  await expect.poll(() => page.locator('#nav-users .count').innerText()).toBe('2')
  expect(await url.inputValue()).toBe('http://example.com/hooks')

  await url.fill('localhost:3000/hooks')
  await press(page, 'Save', 'Events now go to this URL')
  await expect.poll(() => url.inputValue()).toBe('http://localhost:3000/hooks')
  await press(page, 'Use built-in receiver', 'Events now go to the built-in receiver')
  await expect.poll(() => url.inputValue()).toBe(`${sandbox.url}/_sandbox/catch/me`)
  await page.locator('.field-error').waitFor({ state: 'detached' })
  await press(page, 'Send test event', 'Test event: 200 OK')
  await page.locator('.rows .tag').getByText('test').waitFor()
  await page.getByLabel('Copy the signing secret of main').click()
  const secret = await copied(page)
  await page.getByRole('button', { name: 'Rotate' }).click()
  await press(page, 'Replace it?', 'Secret rotated')
  await page.getByText(secret).waitFor({ state: 'detached' })
})

it('the webhook settings show a test event in green only if the receiver acknowledged it', async () => {
  const sandbox = await start({ fixture: 'verified-user', clock: NOON })
  await sandbox.api('PUT', '/webhook-configurations', { url: 'http://127.0.0.1:9/hooks' })
  const page = await openPage(`${sandbox.dashboard}ui/webhooks?integrator=main`)
  await page.getByRole('button', { name: 'Send test event' }).click()
  await page.locator('.toast.bad', { hasText: 'Test event: connect ECONNREFUSED' }).waitFor()
})

it('a change made in the inspector says which of its webhooks are pending, and that a forged one was accepted', async () => {
  const sandbox = await start({ fixture: 'verified-user', clock: NOON })
  for (const integrator of ['main', 'second']) {
    const url = `${sandbox.url}/_sandbox/catch/${integrator}`
    await sandbox.control('PUT', '/webhooks/settings', { integrator, url })
  }
  const page = await openPage(`${sandbox.dashboard}ui/users/alice@example.com`)
  await page.getByText('Set any status, with a reason or a delay').click()
  const kyc = async (then: object, status: string, text: string, tone: string) => {
    await sandbox.control('POST', '/faults', { on: 'webhook', times: 1, then })
    await page.getByLabel('Status', { exact: true }).selectOption(status)
    await page.getByRole('button', { name: 'Decide' }).click()
    await page.locator(`.toast.${tone}`, { hasText: text }).waitFor()
  }
  await kyc({ reorder: true }, 'rejected', '1 webhook pending, 1 delivered', 'good')
  await kyc({ mutate: 'signature' }, 'verified', 'accepted a webhook with', 'bad')
})
