import { STREAM_KINDS } from '../../engine/stream-kinds.ts'
import { formatDistance, formatInstant, formatLength } from '../format.ts'
import { draw, drawIfOld } from './page.ts'

const GATHER_MS = 120
const EVERY_MS = 500
/** How often a page with a warning looks if it still holds, because no event says that it is over. */
const WARNING_EVERY_MS = 2_000

export function follow(streamUrl: string): void {
  let waiting: number | undefined
  let drawnAt = 0
  /** Position of the journal that the page must show. */
  let wanted = 0
  let isFirst = true
  let source = listen()
  setInterval(() => document.querySelector('[role=alert]') && redraw(), WARNING_EVERY_MS)
  // A hidden page closes its stream, because browsers allow six connections per host.
  document.addEventListener('visibilitychange', () => {
    source.close()
    if (!document.hidden) source = listen()
  })

  function listen(): EventSource {
    const stream = new EventSource(streamUrl)
    for (const kind of STREAM_KINDS) {
      stream.addEventListener(kind, ({ lastEventId }) => redraw(Number(lastEventId.slice(1))))
    }
    stream.addEventListener('lost', () => redraw())
    stream.onopen = () => {
      const isOld = !isFirst || document.body.classList.contains('gone')
      isFirst = false
      document.body.classList.remove('gone')
      // The stream begins here, so it does not tell what happened since the page was drawn.
      if (isOld) redraw()
      else void drawIfOld()
    }
    stream.onerror = () => document.body.classList.add('gone')
    return stream
  }

  function redraw(position = Number.POSITIVE_INFINITY) {
    wanted = Math.max(wanted, position)
    if (waiting !== undefined) return
    const wait = Math.max(GATHER_MS, drawnAt + EVERY_MS - performance.now())
    waiting = window.setTimeout(async () => {
      waiting = undefined
      // A button draws the page itself, with what it caused.
      const isShown = Number(document.body.dataset.position) >= wanted
      wanted = 0
      if (isShown) return
      drawnAt = performance.now()
      await draw(location.href)
    }, wait)
  }
}

export function tick(): void {
  let read = ''
  let readAt = 0
  const step = () => {
    const clock = document.getElementById('clock')
    if (!clock) return
    const { now: text = '', mode } = clock.dataset
    if (text !== read) {
      read = text
      readAt = performance.now()
    }
    const elapsed = mode === 'running' ? performance.now() - readAt : 0
    const now = Number(text) + elapsed
    const shown = document.getElementById('now')
    if (shown) shown.textContent = formatInstant(now)
    for (const element of document.querySelectorAll<HTMLElement>('[data-until]')) {
      const at = Number(element.dataset.until)
      const isLength = element.dataset.length !== undefined
      element.textContent = isLength ? formatLength(at - now) : formatDistance(at, now)
    }
  }
  setInterval(step, 1000)
  document.addEventListener('drawn', step)
}
