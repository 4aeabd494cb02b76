import { createHash } from 'node:crypto'

/** A document without what no client depends on, as clients are generated from it. */
export function toBare({ info: _info, servers: _servers, tags: _tags, ...document }) {
  return JSON.parse(
    JSON.stringify(document, (name, value) => {
      const isProse = ['description', 'summary'].includes(name) && typeof value === 'string'
      return isProse || name === 'example' || name === 'x-assumptions' ? undefined : value
    }),
  )
}

/** Tells whether a client was generated from this very document. */
export function digestOf(document) {
  return createHash('sha256')
    .update(JSON.stringify(toBare(document)))
    .digest('hex')
}
