import { describe, expect, it } from 'vitest'
import { openPage, PHONE, useBrowser } from './browser.ts'
import { step, tap } from './demo.ts'
import { NOON, start } from './sandbox.ts'

useBrowser()

/** A name that is neither https nor localhost, as the address of a laptop is for a phone. */
const PLAIN = 'some.test'

describe('the demo over http, under a name that is not localhost', () => {
  it('opens, mirrors its session on a phone, and copies', async () => {
    const { url } = await start('--clock', NOON, '--allow-host', PLAIN)
    const base = url.replace('127.0.0.1', PLAIN)
    const page = await openPage(`${base}/_sandbox/demo`, {})
    expect(await page.evaluate(() => [isSecureContext, 'clipboard' in navigator])).toEqual([
      false,
      false,
    ])
    await tap(page, 'enter')
    await step(page, 'register').waitFor()
    await page.locator('.panel summary').click()
    const field = page.getByLabel('Address of the wallet')
    const address = await field.inputValue()
    expect(new URL(address).hostname).toBe(PLAIN)
    const hand = await openPage(address, PHONE)
    await step(hand, 'register').waitFor()
    await page.locator('.field', { has: field }).getByRole('button', { name: 'Copy' }).click()
    await page.locator('.panel summary').click()
    await tap(hand, 'back')
    const email = page.getByLabel('E-mail address')
    await email.fill('')
    await email.press('ControlOrMeta+v')
    expect(await email.inputValue()).toBe(address)
  })
})
