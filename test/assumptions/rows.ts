import type { Scene } from './scene.ts'

/** What one setting changes, seen through the API. */
export interface Row {
  /** Looks at what differs; whatever it returns is compared. */
  see(scene: Scene): Promise<unknown>
  /** What is seen under each option; a setting that is no choice shows at least two values. */
  under: Readonly<Record<string, unknown>>
}

export type Rows = Readonly<Record<string, Row>>

/** Names of the fields of an answer, sorted. */
export const fieldsOf = (value: object) => Object.keys(value).sort()
