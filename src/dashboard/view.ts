import type { Child } from 'hono/jsx'
import type { Wire } from '../control-api/wire.ts'
import type { PageRequest } from '../pages/request.ts'
import type { Delivery } from '../webhooks/delivery.ts'
import { readEffects } from './former.ts'

/** A world as the menu and the page of worlds list it. */
export type WorldRow = Wire['worlds.list']['response']['items'][number]

/** Source that a page is rendered from. Pages only read; changes go through the control API. */
export type View = ReturnType<typeof createView>

export function createView(asked: PageRequest) {
  const { services, origin, sitePath, prefix, request, control } = asked
  /** The link to a path below the world's base URL, such as `/_sandbox/kyc/…`. */
  const link = (path: string) => `${prefix}${path}`
  let attempts: Map<string, Delivery[]> | undefined
  return {
    ...asked,
    world: services.world,
    /** Place in the journal up to which the page shows everything. */
    position: services.journal.position,
    effects: readEffects(services.journal),
    query: new URL(request.url).searchParams,
    baseUrl: `${origin}${prefix}`,
    link,
    /** The link to a file that pages load. The version is in it, so browsers may keep the file. */
    asset: (file: string) => `${sitePath}/_sandbox/assets/${file}?${control.version}`,
    worldUrl: (name: string) => `${sitePath}${name === 'default' ? '' : `/w/${name}`}/_sandbox/`,
    /** Reads the worlds that the caller may see; names of private worlds are credentials. */
    async readWorlds(): Promise<WorldRow[]> {
      const response = await asked.call('/_sandbox/worlds')
      return response.ok ? ((await response.json()) as { items: WorldRow[] }).items : []
    },
    /** Why worlds cannot be written to disk; a private world is kept in memory only. */
    storageProblem: services.isPrivate ? undefined : (control.storage()?.reason ?? undefined),
    /** Every attempt to deliver an event, oldest first; the journal is read once for each page. */
    attemptsOf(eventId: string): readonly Delivery[] {
      attempts ??= groupByEvent(services.journal.deliveries.after(0))
      return attempts.get(eventId) ?? []
    },
    page(path: string, query: Record<string, string | undefined> = {}): string {
      const given = Object.entries(query).filter(([, value]) => value)
      const search = new URLSearchParams(given as [string, string][]).toString()
      return link(`/_sandbox/ui/${path}${search && `?${search}`}`)
    },
  }
}

function groupByEvent(deliveries: readonly Delivery[]): Map<string, Delivery[]> {
  const groups = new Map<string, Delivery[]>()
  for (const delivery of deliveries) {
    const { eventId } = delivery
    const group = groups.get(eventId)
    if (group) group.push(delivery)
    else groups.set(eventId, [delivery])
  }
  return groups
}

export interface InspectorPage {
  title: string
  body: Child
}

/** Renders a page, or returns undefined when nothing has that id. */
export type RenderPage = (
  view: View,
  id: string | undefined,
) => InspectorPage | undefined | Promise<InspectorPage | undefined>
