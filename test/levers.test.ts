import { describe, expect, it } from 'vitest'
import { LEVERS } from '../src/http/control/index.ts'
import { findRoute, ROUTES } from '../src/http/control/routes.ts'

const names = Object.entries(ROUTES).flatMap(([group, routes]) =>
  typeof routes === 'string' ? [group] : Object.keys(routes).map((name) => `${group}.${name}`),
)

describe('a lever', () => {
  it('has one row for each route, and a route for each row', () => {
    expect(LEVERS.map((lever) => lever.as).sort()).toEqual(names.sort())
  })

  it.each(LEVERS)('has the fields that its route names: $as', ({ as, body, path }) => {
    const { fields } = findRoute(as)
    const schema = body?.() as { shape?: object } | undefined
    expect(Object.keys(schema?.shape ?? {})).toEqual(expect.arrayContaining([...fields]))
    expect(path.startsWith('/_sandbox/')).toBe(true)
  })
})
