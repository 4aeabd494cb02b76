import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { renderSVG } from 'uqr'
import { describe, expect, it } from 'vitest'
import { DEFAULT_PORT } from '../../src/cli/command.ts'
import { openPage, PHONE, useBrowser } from './browser.ts'
import { step, tap } from './demo.ts'
import { apiOf, type Json, NOON, start } from './sandbox.ts'

useBrowser()

const PAGE = readFileSync(join(import.meta.dirname, '../examples/embed/page.html'))

/** The colour inside the first button, as `rrggbb`, from a picture of it once it may be pressed. */
async function colourOfButton(page: Page) {
  const picture = (await step(page, 'enter').screenshot()).toString('base64')
  return page.evaluate(async (data) => {
    const image = new Image()
    image.src = `data:image/png;base64,${data}`
    await image.decode()
    const canvas = document.createElement('canvas').getContext('2d')
    canvas?.drawImage(image, 0, 0)
    const [red = 0, green = 0, blue = 0] = canvas?.getImageData(24, 6, 1, 1).data ?? []
    return [red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')
  }, picture)
}

describe('the brand of a customer', () => {
  it('keeps any bright colour, with dark words on it', async () => {
    const { url } = await start('--clock', NOON)
    const page = await openPage('about:blank')
    const button = page.locator('[data-step="enter"]')
    for (const colour of ['9fe870', 'f0b90b', 'ff69b4', 'ffffff']) {
      await page.goto(`${url}/_sandbox/demo?accent=${colour}`)
      await page.locator('body:not([inert])').waitFor()
      expect(await colourOfButton(page)).toBe(colour)
      const text = await button.evaluate((element) => getComputedStyle(element).color)
      expect(text).toBe('rgb(15, 17, 24)')
    }
  })

  it('is that of the fixture, over which the address wins', async () => {
    const { url } = await start('--clock', NOON)
    const brand = { name: 'Érable', accent: '#ff69b4' }
    await apiOf(url).control('POST', '/reset', { fixture: { brand } })
    const page = await openPage(`${url}/_sandbox/demo?accent=9fe870`)
    await page.getByRole('heading', { name: 'Érable' }).waitFor()
    expect(await colourOfButton(page)).toBe('9fe870')
    await page.goto(`${url}/_sandbox/demo`)
    await page.getByRole('heading', { name: 'Érable' }).waitFor()
    expect(await colourOfButton(page)).toBe('ff69b4')
  })

  it('is set in the panel, is in the address, and keeps the shape of a logo', async () => {
    const { url } = await start('--clock', NOON)
    const page = await openPage(`${url}/_sandbox/demo`)
    await page.locator('body:not([inert]) .panel summary').click()
    await page.getByLabel('Name', { exact: true }).fill('Érable')
    await page.locator('[data-colour="accent"]').fill('ff69b4')
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="80"/>'
    await page
      .locator('.drop input')
      .setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) })
    await page.locator('.phone img').waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Érable' }).waitFor()
    const { width = 0, height = 1 } = (await page.locator('.hero img').boundingBox()) ?? {}
    expect(width / height).toBeCloseTo(300 / 80, 1)
    expect(await colourOfButton(page)).toBe('ff69b4')
    await page.locator('.panel summary').click()
    await page.getByText('--host ADDRESS').waitFor()
  })
})

it('opens the same session on a phone, by a QR code of its public address', async () => {
  const { url } = await start('--clock', NOON, '--public-url', 'http://demo.example:4100')
  const page = await openPage(`${url}/_sandbox/demo`)
  await tap(page, 'enter')
  await page.locator('.panel summary').click()
  const address = await page.getByLabel('Address of the wallet').inputValue()
  expect(new URL(address).origin).toBe('http://demo.example:4100')
  const drawn = await page.locator('.qr svg').evaluate((svg) => svg.innerHTML)
  const wanted = await page.evaluate(
    (svg) => {
      const holder = document.createElement('div')
      holder.innerHTML = svg
      return holder.querySelector('svg')?.innerHTML
    },
    renderSVG(address, { border: 2 }),
  )
  expect(drawn).toBe(wanted)
  // As large as a room needs it, while somebody presents, too.
  await page.locator('.panel summary').click()
  await page.locator('body').press('p')
  await page.locator('.presenting').waitFor()
  await page.locator('body').press('q')
  const { width = 0 } = (await page.locator('.qr-sheet .qr svg').boundingBox()) ?? {}
  expect(width).toBeGreaterThan(500)
  await page.locator('body').press('Escape')
  await page.locator('.qr-sheet').waitFor({ state: 'detached' })
  const hand = await openPage(address.replace('http://demo.example:4100', url), PHONE)
  await hand.locator('body:not([inert]) [data-step="register"]').waitFor()
})

it('is embedded in pages of the origins that are allowed, and in no others', async () => {
  expect(PAGE.toString()).toContain(`?? 'http://localhost:${DEFAULT_PORT}'`)
  const pages = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(PAGE)
  }).listen(0, '127.0.0.1')
  await once(pages, 'listening')
  const { port } = pages.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  const { url } = await start('--clock', NOON, '--allow-frame', origin)
  const page = await openPage(`${origin}/?sandbox=${encodeURIComponent(url)}`)
  const wallet = page.frameLocator('iframe')
  await page.locator('li', { hasText: 'ready' }).waitFor()
  await tap(wallet, 'enter', 'register')
  await wallet.frameLocator('iframe').locator('body[data-ready] .choice').first().waitFor()
  const { control } = apiOf(url)
  const { items } = await control('GET', '/users')
  await control('POST', `/simulate/users/${items[0].id}/kyc`, { status: 'verified' })
  await tap(wallet, 'use-code')
  await page.locator('li', { hasText: 'verified' }).waitFor()
  await tap(wallet, 'buy', 'review', 'confirm')
  await page.locator('li', { hasText: 'transaction pending' }).waitFor()
  // A world that nobody has used yet is made by the page itself.
  await page.goto(`${origin}/?sandbox=${encodeURIComponent(`${url}/w/shop`)}`)
  await page.locator('li', { hasText: 'ready' }).waitFor()
  await tap(wallet, 'enter', 'register')
  const worlds = await control('GET', '/worlds')
  expect(worlds.items.map(({ name }: Json) => name)).toEqual(['default', 'shop'])
  const closed = await start('--clock', NOON)
  for (const [demo, frames] of [
    [`${url}/_sandbox/demo`, "'none'"],
    [`${url}/_sandbox/demo?view=wallet`, origin],
    [`${closed.url}/_sandbox/demo?view=wallet`, "'none'"],
  ] as const) {
    const { headers } = await fetch(demo)
    expect(headers.get('content-security-policy')).toContain(`frame-ancestors ${frames}`)
  }
  pages.close()
})
