import { describe, expect, it } from 'vitest'
import { fieldsOf } from '../src/cli/levers/fields.ts'
import { PHRASES } from '../src/cli/levers/words.ts'
import { controlOperations } from '../src/http/control/index.ts'
import { LEVERS } from '../src/levers/index.ts'
import { getRoute, isRoute, ROUTES } from '../src/levers/routes.ts'
import { runInProcess } from './helpers/in-process.ts'

const names = Object.entries(ROUTES).flatMap(([group, routes]) =>
  isRoute(routes) ? [group] : Object.keys(routes).map((name) => `${group}.${name}`),
)

describe('the surfaces of the levers', () => {
  it.each(LEVERS.filter(({ tool }) => tool))(
    'have a command for the tool $as',
    ({ as, words, also }) => {
      // The command `settings` reads and changes by several calls.
      expect(words ?? also ?? (as === 'settings.set' && 'settings')).toBeTruthy()
    },
  )

  it('have each first word of a command in the help', async () => {
    const { out } = await runInProcess(['help', '--all'])
    for (const { text } of PHRASES)
      expect(out).toMatch(new RegExp(`^ {2}${text.split(' ')[0]} `, 'm'))
  })

  it.each(PHRASES)('have a field for each word of $text', (phrase) => {
    const named = phrase.words.flatMap(({ field }) => field ?? [])
    expect(fieldsOf(phrase).asWord.map(({ name }) => name)).toEqual(named)
  })

  it('say in the help of each what it alone is for', () => {
    const summaries = PHRASES.map(({ summary }) => summary)
    expect(summaries).toHaveLength(new Set(summaries).size)
  })
})

describe('a lever', () => {
  it('has one row for each route, and a route for each row', () => {
    expect(LEVERS.map((lever) => lever.as).sort()).toEqual(names.sort())
  })

  it.each(LEVERS)('is implemented at its route: $as', ({ id, method, path }) => {
    const served = controlOperations.filter((operation) => operation.id === id)
    expect(served).toMatchObject([{ method, path }])
  })

  it.each(LEVERS)('has the fields that its route names: $as', ({ as, body, path }) => {
    const { args = [], params = [], path: route } = getRoute(as)
    const schema = body?.() as { shape?: object } | undefined
    expect(Object.keys(schema?.shape ?? {})).toEqual(expect.arrayContaining([...args]))
    expect(Array.from(route.matchAll(/:(\w+)/g), ([, name]) => name)).toEqual(params)
    expect(path.startsWith('/_sandbox/')).toBe(true)
  })
})
