import { SETTING_IDS } from '../../world/settings/index.ts'
import { formatDelivery, formatTrade, shortenId } from '../format.ts'
import { readReference } from '../reference/documents.ts'
import { normalise } from '../rows.ts'
import type { View } from '../view.ts'
import { nameOfFault } from './faults.tsx'

/** Links that a jump shows. */
const JUMPS_MAX = 8
/** Shortest beginning of an id that names a row. */
const ID_LENGTH_MIN = 4

/** A page of the inspector, as its navigation has it. */
export interface PageLink {
  text: string
  href: string
}

interface Target extends PageLink {
  kind: string
}

/** A page that somebody may want to go to. */
export interface Jump extends Target {
  /** True if the search is its exact id or name, so that Enter goes there. */
  isExact: boolean
}

/** Finds where the words of a search may lead: rows by id, operations, pages, faults and worlds. */
export async function findJumps(view: View, pages: readonly PageLink[]): Promise<Jump[]> {
  const words = normalise(view.query.get('q') ?? '').trim()
  if (words === '') return []
  const named = (await readTargets(view, pages)).flatMap((target): Jump[] => {
    // An id and a name are both names.
    const found = target.text.split(': ').map(normalise)
    if (!found.some((name) => name.includes(words))) return []
    return [{ ...target, isExact: found.includes(words) }]
  })
  const rows = words.length < ID_LENGTH_MIN ? [] : findRows(view, words)
  const jumps = [...rows, ...named]
  // What is named exactly comes first; a part of a name says less than the beginning of an id.
  return jumps.sort((a, b) => Number(b.isExact) - Number(a.isExact)).slice(0, JUMPS_MAX)
}

async function readTargets(view: View, pages: readonly PageLink[]): Promise<Target[]> {
  const { byId } = await readReference(view)
  const of = (kind: string, text: string, href: string): Target => ({ kind, text, href })
  const operations = [...byId.values()].map(({ id, method, path }) =>
    of('operation', `${id}: ${method} ${path}`, view.link(`/_sandbox/reference/${id}`)),
  )
  const faults = view.services.faults
    .list()
    .map(({ id, ...fault }) =>
      of('fault', `${id}: ${nameOfFault(fault)}`, `${view.page('faults')}#${id}`),
    )
  return [
    ...pages.map(({ text, href }) => of('page', text, href)),
    ...operations,
    ...SETTING_IDS.map((id) => of('setting', id, view.page('settings', { q: id }))),
    ...faults,
    ...(await view.readWorlds()).map(({ name }) => of('world', name, view.worldUrl(name))),
  ]
}

interface Row {
  readonly id: string
}

/** Finds rows by the beginning of an id, by both ends of a shortened id, or by their name. */
function findRows(view: View, words: string): Jump[] {
  const { world, services } = view
  const { requests, timeline, outbox } = services
  const isMeant = createIdTest(words)
  const find = <Of extends Row>(
    [kind, page]: readonly [kind: string, page: string],
    rows: readonly Of[],
    [format, nameOf]: readonly [(row: Of) => string, ((row: Of) => string)?],
  ): Jump[] =>
    rows
      .filter((row) => isMeant(row.id) || nameOf?.(row).toLowerCase() === words)
      .slice(0, JUMPS_MAX)
      .map((row) => {
        const text = `${shortenId(row.id)}: ${format(row)}`
        return { kind, text, href: view.page(`${page}/${row.id}`), isExact: false }
      })
  const found = [
    find(['user', 'users'], world.users, [({ email }) => email, ({ email }) => email]),
    find(['transaction', 'transactions'], world.transactions, [formatTrade, ({ rmtId }) => rmtId]),
    find(['webhook', 'webhooks'], outbox.journal.after(0), [formatDelivery]),
    find(['request', 'requests'], requests.after(0), [
      (row) => `${row.method} ${row.operation ?? ''}`,
    ]),
    find(['action', 'actions'], timeline.actions.after(0), [({ operation }) => operation]),
    find(['message', 'inbox'], world.messages.after(0), [({ subject }) => subject]),
    find(['event', 'events'], world.events.after(0), [({ type, status }) => `${type}, ${status}`]),
  ].flat()
  // The beginning of several ids names none of them.
  return found.map((jump) => ({ ...jump, isExact: found.length === 1 }))
}

/** Tests an id; `dlv_1` is a whole id, and not the beginning of `dlv_10`. */
function createIdTest(words: string): (id: string) => boolean {
  if (/^[a-z]+_\d+$/.test(words)) return (id) => id === words
  const [start = '', end = ''] = words.split('…')
  return (id) => id.startsWith(start) && id.endsWith(end)
}
