import type { Json } from '../../client/http.ts'
import { formatDistance, formatInstant } from '../format.ts'
import { call } from './calls.ts'
import { element } from './element.ts'

const WORLDS_SHOWN = 100

const { prefix = '', site = '' } = document.body.dataset

/** Lists the worlds in the menu of the header each time it is opened. */
export function listenForWorlds(): void {
  document.addEventListener(
    'toggle',
    ({ target }) => {
      const menu = target as HTMLDetailsElement
      if (menu.id === 'worlds' && menu.open) void list(menu)
    },
    true,
  )
}

async function list(menu: HTMLElement) {
  const { items } = await call({ method: 'GET', path: `${prefix}/_sandbox/worlds` })
  const rows = items.slice(0, WORLDS_SHOWN).map(toRow)
  const left = items.length - rows.length
  if (left > 0) rows.push(element('li', 'quiet', `and ${left} more`))
  menu.querySelector('[data-worlds]')?.replaceChildren(...rows)
}

function toRow({ name, now, mode, fixture, calledAt }: Json): HTMLElement {
  const link = element('a', '', name)
  const base = `${site}${name === 'default' ? '' : `/w/${name}`}`
  link.setAttribute('href', `${base}${pathToKeep()}`)
  if (base === prefix) link.setAttribute('aria-current', 'true')
  const called = calledAt
    ? `called ${formatDistance(Date.parse(calledAt), Date.now())}`
    : 'no calls'
  const clock = `${formatInstant(Date.parse(now))} ${mode}`
  return element('li', '', link, element('p', 'quiet', `${clock} · ${fixture} · ${called}`))
}

/** Path of this page in another world, without the chosen row, which exists only here. */
function pathToKeep(): string {
  const below = location.pathname.slice(prefix.length)
  const [page = '/_sandbox/'] = /^\/_sandbox\/(ui\/[\w-]+|reference.*)/.exec(below) ?? []
  return `${page}${location.search}`
}
