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
  /** Ids, matched by their beginning. */
  ids?: readonly string[]
  /** Names. A row must match one exactly; anything else matches by a part of one. */
  names?: readonly string[]
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

function toJump({ kind, text, href, names = [] }: Target, words: string): Jump[] {
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

/** Finds rows by the beginning of an id, or by both ends of a shortened id. */
function findRows(view: View, words: string): Jump[] {
  const [start = '', end = ''] = words.split('…')
  const isMeant = (id: string) => id.startsWith(start) && id.endsWith(end)
  const found: Jump[] = []
  for (const { kind, text, href, ids = [], names = [] } of listRows(view)) {
    const exact = ids.includes(words) || names.includes(words)
    if (exact || (!isNumbered(words) && ids.some(isMeant))) {
      found.push({ kind, text, href, isExact: true })
    }
    if (found.length > JUMPS_MAX) break
  }
  // The beginning of several ids names none of them.
  return found.map((jump) => ({ ...jump, isExact: found.length === 1 }))
}

/** `dlv_1` is an id, and not the beginning of `dlv_10`. */
const isNumbered = (words: string) => /^[a-z]+_\d+$/.test(words)

function* listRows(view: View): Generator<Target> {
  const { world, services } = view
  for (const user of world.users) {
    const { id, email } = user
    const text = `${email}, ${formatName(user)}`
    yield { kind: 'user', text, href: view.page(`users/${id}`), ids: [id], names: [email] }
  }
  for (const row of world.transactions) {
    const { id, rmtId } = row
    const text = `${shortenId(id)}: ${formatTrade(row)}`
    const href = view.page(`transactions/${id}`)
    yield { kind: 'transaction', text, href, ids: [id], names: [rmtId.toLowerCase()] }
  }
  for (const row of services.outbox.journal.after(0)) {
    const text = `${row.id}: ${formatDelivery(row)}`
    yield { kind: 'webhook', text, href: view.page(`webhooks/${row.id}`), ids: [row.id] }
  }
  for (const { id, method, operation } of services.requests.after(0)) {
    const text = `${id}: ${method} ${operation ?? ''}`
    yield { kind: 'request', text, href: view.page(`requests/${id}`), ids: [id] }
  }
  for (const { id, operation } of services.timeline.actions.after(0)) {
    yield {
      kind: 'action',
      text: `${id}: ${operation}`,
      href: view.page(`actions/${id}`),
      ids: [id],
    }
  }
  for (const { id, subject } of world.messages.after(0)) {
    yield { kind: 'message', text: `${id}: ${subject}`, href: view.page(`inbox/${id}`), ids: [id] }
  }
  for (const { id, type, status } of world.events.after(0)) {
    const text = `${id}: ${type}, ${status}`
    yield { kind: 'event', text, href: view.page(`events/${id}`), ids: [id] }
  }
}
