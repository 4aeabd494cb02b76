/**
 * Values that the page was loaded with: the path and name of its world, the path of the site, and
 * how far the journal had come.
 */
const { prefix = '', site = '', world: name = '', position = '0' } = document.body.dataset

export const world = { prefix, site, name, position }

/** The path of a world of this site. */
export const prefixOf = (name: string): string => (name === 'default' ? site : `${site}/w/${name}`)

export type Query = Readonly<Record<string, string | undefined>>

/** A path with a query, which leaves out what is empty. */
export function withQuery(path: string, query: Query | URLSearchParams): string {
  const given = query instanceof URLSearchParams ? [...query] : Object.entries(query)
  const pairs = given.filter((pair): pair is [string, string] => Boolean(pair[1]))
  const search = new URLSearchParams(pairs).toString()
  return path + (search && `?${search}`)
}

/** The path of a control operation in this world. */
export const controlPath = (path: string): string => `${prefix}/_sandbox${path}`
