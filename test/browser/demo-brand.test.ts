import type { Page } from 'playwright-core'
import { renderSVG } from 'uqr'
import { expect, it } from 'vitest'
import { openPage, PHONE, useBrowser } from './browser.ts'
import { chooseMore, step, tap } from './demo.ts'
import { NOON, start, startAlone } from './sandbox.ts'

useBrowser({ takesPictures: true })

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

it('the demo keeps any bright brand colour and puts dark text on it', async () => {
  const { url } = await start({ clock: NOON })
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

it('the demo keeps the proportions of a logo from a data URL', async () => {
  const { url } = await start({ clock: NOON })
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="80"/>'
  const logo = encodeURIComponent(`data:image/svg+xml,${svg}`)
  const page = await openPage(`${url}/_sandbox/demo?logo=${logo}`)
  const { width = 0, height = 1 } = (await page.locator('.hero img').boundingBox()) ?? {}
  expect(width / height).toBeCloseTo(300 / 80, 1)
})

it('the demo shows a QR code of the public address of the wallet, with the same brand', async () => {
  const { url } = await startAlone({ clock: NOON, publicUrl: 'http://demo.example:4100' })
  const page = await openPage(`${url}/_sandbox/demo?name=Acme&accent=9fe870`)
  await chooseMore(page, 'On a phone')
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
  await page.locator('body').press('Escape')
  await page.locator('body').press('p')
  await page.locator('.presenting').waitFor()
  await page.locator('body').press('q')
  const { width = 0 } = (await page.locator('.qr-sheet .qr svg').boundingBox()) ?? {}
  expect(width).toBeGreaterThan(500)
  await page.setViewportSize(PHONE.viewport)
  const copy = await page.locator('.qr-sheet').getByRole('button', { name: 'Copy' }).boundingBox()
  expect((copy?.x ?? 0) + (copy?.width ?? 0)).toBeLessThanOrEqual(PHONE.viewport.width)
  await page.locator('body').press('Escape')
  await page.locator('.qr-sheet').waitFor({ state: 'detached' })
  const hand = await openPage(address.replace('http://demo.example:4100', url), PHONE)
  await hand.getByRole('heading', { name: 'Acme' }).waitFor()
  expect(await colourOfButton(hand)).toBe('9fe870')
  await tap(hand, 'enter')
  await step(hand, 'register').waitFor()
})
