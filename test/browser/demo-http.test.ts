import { networkInterfaces } from 'node:os'
import { expect, it } from 'vitest'
import { openPage, PHONE, useBrowser } from './browser.ts'
import { chooseMore, step, tap } from './demo.ts'
import { apiOf, type Json, NOON, startAlone } from './sandbox.ts'

useBrowser()

/** A name that is neither https nor localhost, as the address of a laptop is for a phone. */
const PLAIN = 'some.test'

const findAddress = () =>
  Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)?.address

it('the demo works over plain http, gives a phone its own wallet in the same world, and copies text', async () => {
  const { url } = await startAlone({ clock: NOON, allowHosts: [PLAIN] })
  const base = url.replace('127.0.0.1', PLAIN)
  const page = await openPage(`${base}/_sandbox/demo`, {})
  expect(await page.evaluate(() => [isSecureContext, 'clipboard' in navigator])).toEqual([
    false,
    false,
  ])
  await tap(page, 'enter')
  await step(page, 'register').waitFor()
  await chooseMore(page, 'On a phone')
  const address = await page.getByLabel('Address of the wallet').inputValue()
  expect(new URL(address).hostname).toBe(PLAIN)
  const hand = await openPage(address, PHONE)
  await tap(hand, 'enter', 'register')
  await hand.locator('.phone iframe').waitFor()
  const world = apiOf(url + new URL(address).pathname.replace('/_sandbox/demo', ''))
  const { items } = await world.control('GET', '/users')
  expect(items.map((user: Json) => user.email)).toEqual([expect.stringMatching(/^ana\d+@/)])
  const sheet = page.getByRole('dialog', { name: 'On a phone' })
  await sheet.getByRole('button', { name: 'Copy' }).click()
  await sheet.getByRole('button', { name: 'Close' }).click()
  await tap(page, 'back')
  const email = page.getByLabel('E-mail address')
  await email.fill('')
  await email.press('ControlOrMeta+v')
  expect(await email.inputValue()).toBe(address)
})

it('the demo offers phones an address of the machine even if the presenter’s page is at 127.0.0.1', async () => {
  const token = 'a-secret-of-a-test'
  const { url } = await startAlone({ clock: NOON, host: '0.0.0.0', controlToken: token })
  const { port } = new URL(url)
  const page = await openPage(`http://127.0.0.1:${port}/_sandbox/demo`, {})
  await page.locator('#token').fill(token)
  await page.keyboard.press('Enter')
  await step(page, 'enter').waitFor()
  await chooseMore(page, 'On a phone')
  const address = findAddress()
  if (address === undefined) return page.getByText('Only this machine').waitFor()
  const offered = new URL(await page.getByLabel('Address of the wallet').inputValue())
  expect(offered.host).toBe(`${address}:${port}`)
  // Whoever has the address of a private world may use it.
  expect((await fetch(offered)).status).toBe(200)
})
