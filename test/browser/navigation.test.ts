import { createHash } from 'node:crypto'
import type { Response } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openPage, useBrowser, visit } from './browser.ts'
import { apiOf, type Json, NOON, start, startAlone, startStory } from './sandbox.ts'

useBrowser()

it('text can be copied over plain http, too, from a host name other than localhost', async () => {
  const { url } = await startAlone({ clock: NOON, allowHosts: ['some.test'] })
  const page = await openPage(`${url.replace('127.0.0.1', 'some.test')}/_sandbox/`, {})
  expect(await page.evaluate(() => 'clipboard' in navigator)).toBe(false)
  await page.getByRole('button', { name: 'Copy the API key of main' }).click()
  await page.locator('.copied').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.press('ControlOrMeta+v')
  expect(await page.locator('#search').inputValue()).toBe('sandbox-key')
})

it('a page of the inspector loads at most 75 kB of code', async () => {
  const { url } = await start()
  const page = await openPage('about:blank', {})
  const code: Promise<Buffer>[] = []
  page.on('response', (response) => {
    if (/\.js(\?|$)/.test(response.url())) code.push(response.body())
  })
  await page.goto(`${url}/_sandbox/`)
  await page.getByRole('heading', { name: 'Timeline' }).first().waitFor()
  const sizes = (await Promise.all(code)).map(({ length }) => length)
  expect(sizes.length).toBeGreaterThan(1)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(75_000)
})

it('code for rarely opened pages is loaded on demand, once, and cached', async () => {
  const { dashboard } = await startStory()
  const page = await openPage(dashboard, {})
  const loaded: Response[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) loaded.push(response)
  })
  await page.locator('#nav-world').click()
  await page.getByRole('heading', { name: 'Snapshots' }).waitFor()
  const { length } = loaded
  expect(length).toBeGreaterThan(0)
  await page.locator('#nav-settings').click()
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  expect(loaded).toHaveLength(length)
  await page.locator('#nav-reference').click()
  await page.getByRole('heading', { name: 'Reference' }).waitFor()
  expect(loaded.length).toBeGreaterThan(length)
  for (const response of loaded) {
    expect(response.headers()['cache-control']).toBe('public, max-age=31536000, immutable')
  }
})

it('the files of a page are named by their content, so that a browser uses none from another build', async () => {
  const { url, dashboard } = await start()
  const page = await (await fetch(dashboard)).text()
  const files = [...page.matchAll(/"(\/_sandbox\/assets\/[\w.-]+)\?(\w+)"/g)]
  expect(files).toHaveLength(3)
  for (const [, path = '', tag = ''] of files) {
    const bytes = Buffer.from(await (await fetch(new URL(path, url))).arrayBuffer())
    expect(createHash('sha256').update(bytes).digest('hex').slice(0, tag.length), path).toBe(tag)
  }
})

describe('a page that cannot be loaded', () => {
  it('a page that cannot be loaded says so, and appears as soon as it can', async () => {
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

  it('a page whose code cannot be loaded says so, and offers to load it again', async () => {
    const { url } = await start()
    const page = await openPage(`${url}/_sandbox/`)
    await page.route('**/assets/later-*', (route) => route.fulfill({ status: 404 }))
    await page.locator('#nav-faults').click()
    await page.getByText('Failed to fetch').waitFor()
    await page.unroute('**/assets/later-*')
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('heading', { name: 'Add a fault' }).waitFor()
  })

  it('every page says that its private world has ended, rather than that nothing responds', async () => {
    const parent = await start()
    const { name, baseUrl } = await parent.control('POST', '/worlds', { from: {} })
    const page = await openPage(`${baseUrl}/_sandbox/ui/world`)
    await parent.control('DELETE', `/worlds/${name}`)
    await page.getByRole('alert').getByText('This private world has ended.').waitFor()
    expect(await page.locator('body.gone').count()).toBe(0)
    await page.locator('#nav-users').click()
    await page.getByRole('alert').getByText('This private world has ended.').waitFor()
  })

  it('a page says that its private world has ended although its updates are paused', async () => {
    const parent = await start()
    const { name, baseUrl } = await parent.control('POST', '/worlds', { from: {} })
    const page = await openPage(`${baseUrl}/_sandbox/ui/world`)
    await page.getByRole('button', { name: 'Pause' }).click()
    await parent.control('DELETE', `/worlds/${name}`)
    await page.getByRole('alert').getByText('This private world has ended.').waitFor()
  })

  it('a page does not recreate its named world after that has ended, but shows it once it is used again', async () => {
    const { url } = await startAlone({})
    const { control } = apiOf(url)
    const names = async () => (await control('GET', '/worlds')).items.map(({ name }: Json) => name)
    const page = await openPage(`${url}/w/worker-1/_sandbox/ui/users`)
    await page.getByText('No users').waitFor()
    await control('DELETE', '/worlds/worker-1')
    const ended = page.getByRole('alert').getByText('The world worker-1 has ended.')
    await ended.waitFor()
    const refused = page.waitForResponse(/events\/stream/)
    expect((await refused).status()).toBe(404)
    expect(await names()).toEqual(['default'])
    await apiOf(`${url}/w/worker-1`).control('POST', '/users', { email: 'bob@example.com' })
    await page.getByRole('link', { name: 'bob@example.com' }).waitFor()
  })

  it('a page that does not exist says so, keeps the navigation, and links to the timeline', async () => {
    const { url } = await start()
    const page = await openPage(`${url}/_sandbox/ui/users/nobody`)
    await page.getByText('Page not found').waitFor()
    await page.getByRole('navigation', { name: 'Inspector' }).getByText('Users').click()
    await page.getByRole('heading', { name: 'Users' }).waitFor()
    for (const path of ['actions', 'actions/act_9']) {
      await visit(page, `${url}/_sandbox/ui/${path}`)
      await page.getByText('Page not found').waitFor()
      expect(await page.getByText('undefined').count()).toBe(0)
      await page.getByText('Show all').click()
      await page.getByRole('heading', { name: 'Timeline' }).first().waitFor()
    }
  })
})
