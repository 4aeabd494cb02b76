import { shared } from './draw.ts'
import { Copy } from './parts.tsx'

const SHOWN_MS = 6_000
const TOASTS_MAX = 3

interface Toast {
  text: string
  ok: boolean
  /** The call that was made, as a shell command. */
  curl: string
}

const toasts = shared<readonly (Toast & { number: number })[]>([])
let count = 0

/** Says for a while what came of a button; one that is pointed at, or has the focus, stays. */
export function toast(shown: Toast): void {
  const number = ++count
  toasts.value = [...toasts.value, { ...shown, number }].slice(-TOASTS_MAX)
  const hide = () => {
    const box = document.getElementById(`toast-${number}`)
    if (box?.matches(':hover, :focus-within')) setTimeout(hide, SHOWN_MS)
    else toasts.value = toasts.value.filter((each) => each.number !== number)
  }
  setTimeout(hide, SHOWN_MS)
}

export const Toasts = () => (
  <div class="toasts" id="toasts" role="status" aria-live="polite">
    {toasts.value.map(({ number, text, ok, curl }) => (
      <div key={number} id={`toast-${number}`} class={`toast ${ok ? 'good' : 'bad'}`}>
        <span>{text}</span>
        <Copy text={curl} what="this call" label="Copy curl" />
      </div>
    ))}
  </div>
)
