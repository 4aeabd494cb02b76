import { change, listen, type Screen, state } from './store.ts'

/** Screens with nothing to go back to. */
const FIRST: readonly Screen[] = ['welcome', 'review', 'home']
/** Longest wait for the browser to have gone back. */
const LEAVE_MAX_MS = 400

/**
 * Makes the browser's *Back* the phone's own. While a screen has a way back, one more entry of the
 * history stands above that of the page, and leaving this entry presses the button.
 */
class BrowserBack {
  #isAbove = history.state?.isAbove === true
  /** Ends the wait for an entry that is being left because the screen has no way back any more. */
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
