import { change, state } from './store.ts'

/** Factor of all pauses; 1 is slow enough to follow. */
const pace = Number(new URLSearchParams(location.search).get('pace') ?? 1)
const LOOK_MS = 900
const PRESS_MS = 260
const WAIT_MAX_MS = 20_000

class Stopped extends Error {}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms * pace))

/** Signs up, buys and sells by pressing the buttons of the page. */
export async function playAll(): Promise<void> {
  change({ isPlaying: true })
  try {
    await signUp()
    await trade('buy')
    await trade('sell')
    await press('home')
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
  } finally {
    change({ isPlaying: false })
  }
}

async function signUp() {
  await press('new')
  await press('enter')
  await press('register')
  await until(() => state.screen === 'identify')
  await pressInFrame('button[value="verified"]')
  await until(() => state.screen === 'code' && state.notice?.code)
  await press('notice')
  await until(() => state.screen === 'home')
}

async function trade(side: 'buy' | 'sell') {
  await press(side)
  await until(() => state.screen === 'order' && state.quote)
  await press('confirm')
  await until(() => state.screen === 'pay')
  if (side === 'buy') {
    await press('bank')
    await pressInFrame('button[value="approve"]')
  } else {
    await press('send')
  }
  await until(() => state.transaction?.status.startsWith('processing'))
  await press('settle')
  await until(() => state.screen === 'done')
  await sleep(LOOK_MS)
  if (side === 'buy') await press('home')
}

async function press(step: string) {
  await sleep(LOOK_MS)
  await tap(await until(() => find(document, `[data-step="${step}"]`)))
}

async function pressInFrame(selector: string) {
  const inside = () => document.querySelector('iframe')?.contentDocument
  const button = await until(() => {
    const page = inside()
    // Its script must have run, or the press is lost.
    return page?.readyState === 'complete' && page.body.dataset.ready && find(page, selector)
  })
  await sleep(LOOK_MS)
  await tap(button)
}

const find = (page: Document, selector: string) =>
  page.querySelector<HTMLButtonElement>(`${selector}:not(:disabled)`)

async function tap(button: HTMLElement) {
  if (!state.isPlaying) throw new Stopped()
  button.classList.add('pressed')
  await sleep(PRESS_MS)
  button.classList.remove('pressed')
  button.click()
}

async function until<T>(look: () => T): Promise<Exclude<T, undefined | null | false | '' | 0>> {
  const deadline = performance.now() + WAIT_MAX_MS
  for (;;) {
    if (!state.isPlaying) throw new Stopped()
    const seen = look()
    if (seen) return seen as Exclude<T, undefined | null | false | '' | 0>
    if (performance.now() > deadline) {
      change({ problem: 'It waited for something that did not come, so it stopped.' })
      throw new Stopped()
    }
    await new Promise((resolve) => setTimeout(resolve, 40))
  }
}
