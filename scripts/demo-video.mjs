// Plays the stories of the demo wallet in Chromium and keeps a picture of each step, and a film of
// each story where ffmpeg is installed: npm run demo:video -- --story buy --theme dark --lang fr
import { spawn, spawnSync } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { findChromium } from './chromium.mjs'

const HELP = `Pictures of the demo wallet, one for each step.

  --story NAME   buy, sell, kyc, expired, bank, webhook or all (default: all)
  --out FOLDER   where to put them (default: a folder for temporary files)
  --size WxH     of the window (default: 1440x900; 390x844 is a phone)
  --theme NAME   light or dark (default: light)
  --query TEXT   more for the address, such as "lang=fr&name=Acme&accent=0a7d5a"
  --film         also a film of each story, at its own pace; needs ffmpeg
`
const { values: options } = parseArgs({
  options: {
    story: { type: 'string', default: 'all' },
    out: { type: 'string', default: join(tmpdir(), 'ramp-sandbox-demo') },
    size: { type: 'string', default: '1440x900' },
    theme: { type: 'string', default: 'light' },
    query: { type: 'string', default: '' },
    film: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const NAMES = ['buy', 'sell', 'kyc', 'expired', 'bank', 'webhook']
const STEPS_MAX = 60
const FRAMES_PER_SECOND = 20
const [width, height] = options.size.split('x').map(Number)
const stories = options.story === 'all' ? NAMES : options.story.split(',')
const executablePath = findChromium()
const problem = findProblem()
if (options.help || problem) {
  console.log(problem ? `${problem}\n\n${HELP}` : HELP)
  process.exit(problem ? 2 : 0)
}

const folder = resolve(options.out)
await mkdir(folder, { recursive: true })
// First, as a browser that does not start must leave no sandbox behind.
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu'],
})
const sandbox = spawn(process.execPath, [
  join(import.meta.dirname, '../dist/cli.cjs'),
  ...['start', '--port', '0', '--json', '--clock', '2026-07-06T13:30:00Z'],
])
try {
  const { url } = JSON.parse(await firstLine(sandbox.stdout))
  for (const story of stories) await (options.film ? film : photograph)(url, story)
} finally {
  await browser.close()
  sandbox.kill()
}

function findProblem() {
  if (!(width > 0 && height > 0)) return `--size must be like 1440x900, not ${options.size}.`
  if (!['light', 'dark'].includes(options.theme)) return '--theme must be light or dark.'
  const unknown = stories.find((story) => !NAMES.includes(story))
  if (unknown !== undefined) return `There is no story ${unknown}; there are ${NAMES.join(', ')}.`
  if (!executablePath)
    return 'There is no Chromium: install chromium-headless-shell, or set CHROMIUM.'
  const hasFilm = !options.film || spawnSync('ffmpeg', ['-version']).status === 0
  return hasFilm ? undefined : '--film needs ffmpeg; without it there are pictures.'
}

async function firstLine(stream) {
  for await (const line of createInterface({ input: stream })) return line
  throw new Error('The sandbox did not start; npm run build makes it.')
}

async function openStory(url, search) {
  const look = { colorScheme: options.theme, deviceScaleFactor: 2, reducedMotion: 'reduce' }
  const context = await browser.newContext({ viewport: { width, height }, ...look })
  const page = await context.newPage()
  await fetch(`${url}/_sandbox/reset`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  await page.goto(`${url}/_sandbox/demo?${options.query}&${search}`)
  return page
}

/** One picture after each step as a presenter takes it, with its caption. */
async function photograph(url, story) {
  const page = await openStory(url, `story=${story}&present&speed=50`)
  await page.locator('body:not([inert]) .caption[data-at="0"][data-held]').waitFor()
  for (let step = 1; step <= STEPS_MAX; step++) {
    await page.keyboard.press('ArrowRight')
    await page.locator(`.caption[data-at="${step}"][data-held]`).waitFor()
    const number = String(step).padStart(2, '0')
    await page.screenshot({ path: join(folder, `${story}-${number}.png`) })
    console.log(`${story}-${number}.png  ${await page.locator('.caption p').innerText()}`)
    if (await isOver(page)) break
  }
  await page.context().close()
}

function isOver(page) {
  return page.locator('.caption progress').evaluate(({ value, max }) => value === max)
}

/** Frames as the browser draws them, each as long as it was seen. */
async function film(url, story) {
  const page = await openStory(url, 'speed=1')
  const session = await page.context().newCDPSession(page)
  const frames = []
  session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    frames.push({ data, at: metadata.timestamp })
    void session.send('Page.screencastFrameAck', { sessionId })
  })
  await session.send('Page.startScreencast', { format: 'jpeg', quality: 92 })
  await page.locator('.controls select').first().selectOption(story)
  await page.locator('#play').click()
  await page.waitForFunction(() => document.querySelector('[data-held]'), null, {
    timeout: 180_000,
  })
  await page.waitForTimeout(2_000)
  await session.send('Page.stopScreencast')
  await page.context().close()
  await joinFrames(frames, story)
}

async function joinFrames(frames, story) {
  const parts = join(folder, `${story}-frames`)
  await mkdir(parts, { recursive: true })
  const list = []
  for (const [index, { data, at }] of frames.entries()) {
    const file = join(parts, `${index}.jpg`)
    await writeFile(file, Buffer.from(data, 'base64'))
    const seconds = (frames[index + 1]?.at ?? at + 2) - at
    list.push(`file '${file}'`, `duration ${seconds.toFixed(3)}`)
  }
  const listFile = join(parts, 'list.txt')
  await writeFile(listFile, list.join('\n'))
  const out = join(folder, `${story}.mp4`)
  const input = ['-f', 'concat', '-safe', '0', '-i', listFile]
  const filter = `fps=${FRAMES_PER_SECOND},scale=trunc(iw/2)*2:trunc(ih/2)*2`
  const args = ['-y', '-loglevel', 'error', ...input, '-vf', filter, '-pix_fmt', 'yuv420p', out]
  const { status } = spawnSync('ffmpeg', args, { stdio: 'inherit' })
  if (status !== 0) throw new Error(`ffmpeg could not make ${out}.`)
  await rm(parts, { recursive: true })
  console.log(out)
}
