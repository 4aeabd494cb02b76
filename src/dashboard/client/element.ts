/** Makes an element; strings become text, never markup. */
export function element(tag: string, name: string, ...inside: (string | Node)[]): HTMLElement {
  const made = document.createElement(tag)
  if (name) made.className = name
  made.append(...inside)
  return made
}

export const badge = (text: string, tone: string): HTMLElement =>
  element('span', `badge ${tone}`, text)

const SHOWN_MS = 6_000
const TOASTS_MAX = 3

interface Toast {
  text: string
  ok: boolean
  curl: string
}

export function toast({ text, ok, curl }: Toast): void {
  const copy = element('button', 'button small', 'Copy curl')
  copy.dataset.copy = curl
  const box = element('div', `toast ${ok ? 'good' : 'bad'}`, element('span', '', text), copy)
  const toasts = document.getElementById('toasts')
  toasts?.append(box)
  while (toasts && toasts.children.length > TOASTS_MAX) toasts.firstElementChild?.remove()
  const wait = () => setTimeout(hide, SHOWN_MS)
  const hide = () => (box.matches(':hover, :focus-within') ? wait() : box.remove())
  wait()
}
