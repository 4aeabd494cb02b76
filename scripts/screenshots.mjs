// Makes the two pictures of the README again, in Chromium: node scripts/screenshots.mjs
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { createSandbox } from '../dist/index.js'
import { findChromium } from './chromium.mjs'

const BYTES_MAX = 25_000
/** A story goes at the pace at which its sentences can be read. */
const STORY_MAX_MS = 180_000
const sandbox = await createSandbox({ fixture: 'cast', clock: '2026-07-06T13:30:00Z' })
const browser = await chromium.launch({
  executablePath: findChromium() ?? 'chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  await showTimeline()
  await showDemo()
} finally {
  await browser.close()
  await sandbox.close()
}

/** A buy whose first try was below the minimum. */
async function showTimeline() {
  await sandbox.fetch('/v2/webhook-configurations', {
    method: 'PUT',
    headers: { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${sandbox.url}/_sandbox/catch/wallet` }),
  })
  const alice = await sandbox.login('alice@example.com')
  await alice.buy({ cad: 1 })
  const { data: buy } = await alice.buy({ cad: 250 })
  await sandbox.clock.advance('5m')
  await sandbox.simulate.fundsReceived(buy.id)
  const page = await openPage('/_sandbox/', { width: 1000, height: 540 })
  await page.locator('.cause').first().waitFor()
  await keep(page, 'timeline')
}

/** The story *Buy*, at its end. */
async function showDemo() {
  const page = await openPage('/_sandbox/demo?story=buy', { width: 960, height: 640 })
  await page.getByRole('button', { name: 'Play again' }).waitFor({ timeout: STORY_MAX_MS })
  await keep(page, 'demo')
}

async function openPage(path, viewport) {
  const look = { colorScheme: 'light', deviceScaleFactor: 1, reducedMotion: 'reduce' }
  const page = await browser.newPage({ viewport, ...look })
  await page.goto(sandbox.url + path)
  return page
}

/** WebP, as small as leaves its text sharp: the package holds them. */
async function keep(page, name) {
  const session = await page.context().newCDPSession(page)
  const options = { format: 'webp', quality: 6 }
  const { data } = await session.send('Page.captureScreenshot', options)
  const bytes = withoutProfile(Buffer.from(data, 'base64'))
  console.log(`docs/${name}.webp has ${Math.round(bytes.length / 1000)} kB`)
  if (bytes.length > BYTES_MAX) throw new Error(`More than ${BYTES_MAX} bytes is too much.`)
  writeFileSync(join(import.meta.dirname, `../docs/${name}.webp`), bytes)
}

/** Leaves out the colour profile: it is that of an image without one. */
function withoutProfile(webp) {
  const image = webp.subarray(webp.indexOf('VP8 '))
  const head = Buffer.from('RIFF0000WEBP')
  head.writeUInt32LE(image.length + 4, 4)
  return Buffer.concat([head, image])
}
