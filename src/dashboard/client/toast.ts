const SHOWN_MS = 6_000
const TOASTS_MAX = 3

interface Toast {
  text: string
  ok: boolean
  /** A text that can be copied, such as the call that was made. */
  curl?: string
}

/** Says what came of something, for a while. */
export function toast({ text, ok, curl }: Toast): void {
  const box = document.getElementById('toasts')
  if (!box) return
  const element = document.createElement('div')
  element.className = `toast ${ok ? 'good' : 'bad'}`
  const said = document.createElement('span')
  said.textContent = text
  element.append(said)
  if (curl) element.append(copyButton(curl))
  box.append(element)
  while (box.children.length > TOASTS_MAX) box.firstElementChild?.remove()
  const hide = () => (element.matches(':hover, :focus-within') ? wait() : element.remove())
  const wait = () => setTimeout(hide, SHOWN_MS)
  wait()
}

function copyButton(text: string): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button small'
  button.dataset.copy = text
  button.textContent = 'Copy curl'
  return button
}
