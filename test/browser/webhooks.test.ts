import { describe, expect, it } from 'vitest'
import { copied, openPage, press, useBrowser } from './browser.ts'
import { NOON, start } from './sandbox.ts'

useBrowser()

describe('the webhook settings', () => {
  it('say at the field what is wrong, send a test to the built-in receiver, and rotate', async () => {
    const sandbox = await start('--fixture', 'verified-user', '--clock', NOON)
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
})
