import { describe, expect, it } from 'vitest'
import { openPage, PHONE, useBrowser } from './browser.ts'
import { NOON, start } from './sandbox.ts'

useBrowser()

describe('the demo in a room', () => {
  it.each([
    [1024, 600],
    [1920, 1080],
  ])('shows all of Simulate and the main button at %i by %i', async (width, height) => {
    const { url } = await start('--clock', NOON)
    const page = await openPage(`${url}/_sandbox/demo`, { viewport: { width, height } })
    await page.locator('body:not([inert]) [data-step="enter"]').click()
    for (const step of ['sim-receive', 'register']) {
      const box = await page.locator(`[data-step="${step}"]`).boundingBox()
      expect(box?.y, step).toBeGreaterThan(0)
      expect((box?.y ?? 0) + (box?.height ?? 0), step).toBeLessThanOrEqual(height)
    }
  })

  it('is the wallet alone on the first screen of a phone', async () => {
    const { url } = await start('--clock', NOON)
    const page = await openPage(`${url}/_sandbox/demo`, PHONE)
    await page.locator('body:not([inert]) [data-step="enter"]').waitFor()
    expect(await page.locator('.phone').boundingBox()).toEqual({
      x: 0,
      y: 0,
      ...PHONE.viewport,
    })
  })

  it('is presented by keys, forward and back, with the world of each step', async () => {
    const { url } = await start('--clock', NOON)
    const page = await openPage(`${url}/_sandbox/demo?story=sell&present&speed=50`, {})
    const at = (step: number) =>
      page.locator(`body:not([inert]) .caption[data-at="${step}"]`).waitFor()
    const orders = async () => (await (await fetch(`${url}/_sandbox/transactions`)).json()).total
    await at(0)
    await page.keyboard.press('ArrowRight')
    await page.locator('[data-step="sell"]:enabled').waitFor()
    await page.keyboard.press('Space')
    await page.locator('[data-step="review"]:enabled').waitFor()
    await page.locator('.wire-group.fresh', { hasText: 'asks for a price' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.locator('[data-step="confirm"]:enabled').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.locator('[data-step="send"]:enabled').waitFor()
    expect(await orders()).toBe(1)
    await page.keyboard.press('ArrowLeft')
    await at(3)
    await page.locator('[data-step="confirm"]:enabled').waitFor()
    expect(await orders()).toBe(0)
    await page.keyboard.press('ArrowRight')
    await page.locator('[data-step="send"]:enabled').waitFor()
    expect(await orders()).toBe(1)
    await page.keyboard.press('p')
    await page.locator('.simulate').waitFor()
  })
})
