import type { Order } from '../helpers/story.ts'
import type { Asked, Scene } from './scene.ts'

/** What one setting changes, seen through the API. */
export interface Row {
  /** Looks at what differs; whatever it returns is compared. */
  see(scene: Scene): Promise<unknown>
  /** What is seen under each option; a setting that is no choice shows at least two values. */
  under: Readonly<Record<string, unknown>>
}

export type Rows = Readonly<Record<string, Row>>

type Look = Row['see']

export const row = (see: Look, under: Row['under']): Row => ({ see, under })

/** Names of the fields of a response, sorted. */
export const fieldsOf = (value: object) => Object.keys(value).sort()

/** The value at a path in a response, such as `data.breakdown.fee`. */
const valueAt = (asked: Asked, path: string): unknown =>
  path
    .split('.')
    .reduce(
      (value, name) => (value as Record<string, unknown> | undefined)?.[name],
      asked as unknown,
    )

/** What a quote shows. */
export const quoted =
  (path: string, order?: Partial<Order>): Look =>
  async ({ quote }) =>
    valueAt(await quote(order), path)

/** What the order of a verified user shows. */
export const ordered =
  (path: string, order?: Partial<Order>, more?: object): Look =>
  async (scene) =>
    valueAt(await scene.order(await scene.alice(), order, more), path)

/** What a verified user reads. */
export const read =
  (path: string, route: string, query?: Record<string, string | number>): Look =>
  async (scene) => {
    const { token } = await scene.alice()
    return valueAt(await scene.ask(route, { token, ...(query && { query }) }), path)
  }

/** The status of an order a while after it was made. */
export const after =
  (by: string, order?: Partial<Order>): Look =>
  async (scene) => {
    const { data } = await scene.order(await scene.alice(), order)
    await scene.app.advance(by)
    return (await statusesOf(scene, data.id)).at(-1)
  }

/** Looks where other settings are changed, too. */
export const where =
  (settings: object, see: Look): Look =>
  async (scene) => {
    await scene.app.control('PATCH', '/settings', settings)
    return see(scene)
  }

export async function statusesOf({ app }: Scene, id: string): Promise<string[]> {
  const { events } = await app.control('GET', `/events?ref=${id}`)
  return events.map(({ status }: { status: string }) => status)
}
