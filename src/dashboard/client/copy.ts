const SAID_MS = 1_200

/** Buttons with a text to copy copy it, and say so. */
export function listenForCopies(): void {
  document.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-copy]') : null
    if (!button) return
    await navigator.clipboard.writeText(button.dataset.copy ?? '')
    button.classList.add('copied')
    setTimeout(() => button.classList.remove('copied'), SAID_MS)
  })
}
