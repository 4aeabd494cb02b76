import { change, listen, type Screen, state } from './store.ts'

/** Screens with nothing to go back to. */
const FIRST: readonly Screen[] = ['welcome', 'review', 'home']
/** Longest wait until the browser has gone back. */
const LEAVE_MAX_MS = 400

/**
 * Makes the browser's *Back* press the phone's back button: while the screen has one, the history has
 * an extra entry, and going back from that entry presses the button.
 */
class BrowserBack {
  #isAbove = history.state?.isAbove === true
  /** Runs while the browser leaves the extra entry of a screen that has no back button any more. */
  #leaving: ReturnType<typeof setTimeout> | undefined
  #url = location.href

  start(): void {
    listen(() => this.#follow())
    window.addEventListener('popstate', () => this.#onPop())
    this.#follow()
  }

  #follow(): void {
    if (this.#leaving !== undefined) return
    this.#url = location.href
    const hasBack = state.isReading || state.isChoosing || !FIRST.includes(state.screen)
    if (hasBack === this.#isAbove) return
    this.#isAbove = hasBack
    if (hasBack) history.pushState({ isAbove: true }, '', this.#url)
    else this.#leave()
  }

  #leave(): void {
    this.#leaving = setTimeout(() => this.#left(), LEAVE_MAX_MS)
    history.back()
  }

  #left(): void {
    clearTimeout(this.#leaving)
    this.#leaving = undefined
    this.#follow()
  }

  #onPop(): void {
    // The address may have got a story or a brand meanwhile.
    history.replaceState(history.state, '', this.#url)
    if (this.#leaving === undefined) this.#goBack()
    else this.#left()
  }

  #goBack(): void {
    this.#isAbove = false
    if (state.isReading) change({ isReading: false })
    else document.querySelector<HTMLElement>('.phone [data-step="back"]:not(:disabled)')?.click()
    this.#follow()
  }
}

export const browserBack = new BrowserBack()
