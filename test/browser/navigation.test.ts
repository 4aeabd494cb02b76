import { describe, expect, it } from 'vitest'
import { openPage, useBrowser } from './browser.ts'
import { NOON, start, startStory } from './sandbox.ts'

useBrowser()

describe('over http, under a name that is not localhost', () => {
  it('a text is copied all the same', async () => {
    const { url } = await start('--clock', NOON, '--allow-host', 'some.test')
    const page = await openPage(`${url.replace('127.0.0.1', 'some.test')}/_sandbox/`, {})
    expect(await page.evaluate(() => 'clipboard' in navigator)).toBe(false)
    await page.getByRole('button', { name: 'Copy the API key of main' }).click()
    await page.locator('.copied').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.press('ControlOrMeta+v')
    expect(await page.locator('#search').inputValue()).toBe('sandbox-key')
  })
})

describe('a page that does not come', () => {
  it('says so, and comes when it can', async () => {
    const sandbox = await startStory()
    const page = await openPage(sandbox.dashboard)
    await page.route('**/_sandbox/users?*', (route) => route.abort())
    await page.locator('#nav-users').click()
    await page.locator('body.gone').waitFor()
    await page.unroute('**/_sandbox/users?*')
    await page.locator('body:not(.gone)').waitFor()
    await page.getByRole('link', { name: 'alice@example.com' }).waitFor()
    expect(page.url()).toBe(`${sandbox.url}/_sandbox/ui/users`)
  })

  it('keeps the navigation where there is nothing of that name', async () => {
    const { url } = await start()
    const page = await openPage(`${url}/_sandbox/ui/users/nobody`)
    await page.getByText('Page not found').waitFor()
    await page.getByRole('navigation', { name: 'Inspector' }).getByText('Users').click()
    await page.getByRole('heading', { name: 'Users' }).waitFor()
  })
})
