import type { Json } from '../../client/http.ts'
import { control, readControl } from './api.ts'

const pathOf = (key: string) => `/demo/records/${encodeURIComponent(key)}`

/** Reads a record of the wallet's server, without its value if it is not newer than `after`. */
export const readRecord = (key: string, after = 0): Promise<Json> =>
  readControl(`${pathOf(key)}?after=${after}`)

export const writeRecord = (key: string, value: object): Promise<Json> =>
  control('PUT', pathOf(key), { ...value })
