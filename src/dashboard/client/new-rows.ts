import { formatNumber } from '../format.ts'

/** From here on a page counts as scrolled away from its newest rows. */
const SCROLLED_PX = 120
/** A page of older rows, or in another order, does not begin with the newest. */
const ELSEWHERE = /[?&](page|before|sort)=/

let place = ''
let seen = new Set<string>()

/** Says how many rows came above the ones on screen; a click leads to them. */
export function watchNewRows(): void {
  const button = document.getElementById('new-rows')
  if (!button) return
  button.addEventListener('click', () => scrollTo({ top: 0 }))
  const look = () => show(button)
  document.addEventListener('drawn', look)
  addEventListener('scroll', look, { passive: true })
  look()
}

function show(button: HTMLElement) {
  const ids = [...document.querySelectorAll('.row-link[id], .cause[id]')].map(({ id }) => id)
  const here = location.pathname.replace(/\/[a-z]+_\d+$|\/[\w-]{36}$/, '') + location.search
  if (scrollY < SCROLLED_PX || here !== place || ELSEWHERE.test(location.search)) {
    place = here
    seen = new Set(ids)
  }
  const known = ids.findIndex((id) => seen.has(id))
  const isAllNew = known < 0 && seen.size > 0
  const count = isAllNew ? ids.length : known
  button.hidden = count <= 0
  if (count > 0) button.textContent = `${formatNumber(count)}${isAllNew ? '+' : ''} new`
}
