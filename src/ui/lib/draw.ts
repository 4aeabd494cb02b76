let draw = () => {}
let isDue = false

/** Draws the page now, and after each change. */
export function drawWith(drawPage: () => void): void {
  draw = drawPage
  draw()
}

/** Draws the page before the next event, however many changes there were: no button may look as it no longer is. */
export function redraw(): void {
  if (isDue) return
  isDue = true
  queueMicrotask(() => {
    isDue = false
    draw()
  })
}

/** A value that any part of a page may show; a change of it draws the page again. */
export const shared = <Value>(first: Value): { value: Value } => {
  let current = first
  return {
    get value() {
      return current
    },
    set value(next) {
      if (next === current) return
      current = next
      redraw()
    },
  }
}
