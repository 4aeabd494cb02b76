import { SETTING_IDS } from '../../world/settings/index.ts'
import { formatDelivery, formatName, formatTrade, shortenId } from '../format.ts'
import { readReference } from '../reference/documents.ts'
import { normalise } from '../rows.ts'
import type { View } from '../view.ts'
import { nameOfFault } from './faults.tsx'

/** Links that a jump shows. */
const JUMPS_MAX = 8
/** Shortest beginning of an id that names a row. */
const ID_LENGTH_MIN = 4

/** A page that somebody may want to go to. */
export interface Jump {
  kind: string
  text: string
  href: string
  /** True if the search is its exact id or name, so that Enter goes there. */
  isExact: boolean
}

/** A page of the inspector, as its navigation has it. */
export interface PageLink {
  text: string
  href: string
}

interface Target {
  kind: string
  text: string
  href: string
  /** Names, of which the search may be a part. */
  names: readonly string[]
}

/** Finds where the words of a search may lead: rows by id, operations, pages, faults and worlds. */
export async function findJumps(view: View, pages: readonly PageLink[]): Promise<Jump[]> {
  const words = normalise(view.query.get('q') ?? '').trim()
  if (words === '') return []
  const named = [...(await readTargets(view, pages))].flatMap((target) => toJump(target, words))
  const rows = words.length < ID_LENGTH_MIN ? [] : findRows(view, words)
  const jumps = [...rows, ...named]
  // What is named exactly comes first; a part of a name says less than the beginning of an id.
  return jumps.sort((a, b) => Number(b.isExact) - Number(a.isExact)).slice(0, JUMPS_MAX)
}

function toJump({ kind, text, href, names }: Target, words: string): Jump[] {
  const found = names.map(normalise).filter((name) => name.includes(words))
  return found.length === 0 ? [] : [{ kind, text, href, isExact: found.includes(words) }]
}

async function readTargets(view: View, pages: readonly PageLink[]): Promise<Target[]> {
  const { byId } = await readReference(view)
  const worlds = await view.readWorlds()
  return [
    ...pages.map(({ text, href }) => ({ kind: 'page', text, href, names: [text] })),
    ...[...byId.values()].map(({ id, method, path }) => ({
      kind: 'operation',
      text: `${id}: ${method} ${path}`,
      href: view.link(`/_sandbox/reference/${id}`),
      names: [id, `${method} ${path}`],
    })),
    ...SETTING_IDS.map((id) => ({
      kind: 'setting',
      text: id,
      href: view.page('settings', { q: id }),
      names: [id],
    })),
    ...view.services.faults.list().map((fault) => ({
      kind: 'fault',
      text: `${fault.id}: ${nameOfFault(fault)}`,
      href: `${view.page('faults')}#${fault.id}`,
      names: [fault.id, nameOfFault(fault)],
    })),
    ...worlds.map(({ name }) => ({
      kind: 'world',
      text: name,
      href: view.worldUrl(name),
      names: [name],
    })),
  ]
}

/** Finds rows by the beginning of an id, by both ends of a shortened id, or by their name. */
function findRows(view: View, words: string): Jump[] {
  const { users, transactions, messages, events } = view.world
  const { outbox, requests, timeline } = view.services
  const isMeant = createIdTest(words)
  const find = <Row extends { readonly id: string }>(
    [kind, page]: readonly [kind: string, page: string],
    rows: readonly Row[],
    format: (row: Row) => string,
    isNamed?: (row: Row) => boolean,
  ): Jump[] =>
    rows
      .filter((row) => isMeant(row.id) || isNamed?.(row))
      .slice(0, JUMPS_MAX)
      .map((row) => {
        const href = view.page(`${page}/${row.id}`)
        return { kind, text: format(row), href, isExact: false }
      })
  const found = [
    find(
      ['user', 'users'],
      users,
      (row) => `${row.email}, ${formatName(row)}`,
      ({ email }) => email.toLowerCase() === words,
    ),
    find(
      ['transaction', 'transactions'],
      transactions,
      (row) => `${shortenId(row.id)}: ${formatTrade(row)}`,
      ({ rmtId }) => rmtId.toLowerCase() === words,
    ),
    find(
      ['webhook', 'webhooks'],
      outbox.journal.after(0),
      (row) => `${row.id}: ${formatDelivery(row)}`,
    ),
    find(
      ['request', 'requests'],
      requests.after(0),
      ({ id, method, operation }) => `${id}: ${method} ${operation ?? ''}`,
    ),
    find(
      ['action', 'actions'],
      timeline.actions.after(0),
      ({ id, operation }) => `${id}: ${operation}`,
    ),
    find(['message', 'inbox'], messages.after(0), ({ id, subject }) => `${id}: ${subject}`),
    find(
      ['event', 'events'],
      events.after(0),
      ({ id, type, status }) => `${id}: ${type}, ${status}`,
    ),
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
