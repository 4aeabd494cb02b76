import { describe, expect, it } from 'vitest'
import { fieldsOf } from '../src/cli/control/input.ts'
import { formatResponse } from '../src/cli/control/print.ts'
import { PHRASES } from '../src/cli/control/words.ts'
import { CONTROL_OPERATIONS, getControlOperation } from '../src/control-api/index.ts'
import { controlOperations } from '../src/http/control/index.ts'
import { runInProcess } from './helpers/in-process.ts'

describe('the surfaces of the control API', () => {
  it.each(CONTROL_OPERATIONS.filter(({ tool }) => tool))(
    'have a command for the tool $as',
    ({ as, words, also }) => {
      expect(words ?? also, as).toBeTruthy()
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

describe('a command', () => {
  it('prints the fields of its response, and the webhooks below, where its row names no columns', () => {
    const { columns: _, ...row } = getControlOperation('simulate.kyc')
    const nothing = { events: [], eventCount: 0, deliveries: [], deliveryCount: 0, pending: 0 }
    const shown = formatResponse(row, { userId: 'u-1', from: 'initial', to: 'active', ...nothing })
    expect(shown).toBe('userId  u-1\nfrom    initial\nto      active')
  })
})

describe('a control operation', () => {
  it.each(CONTROL_OPERATIONS)('is implemented at its route: $as', ({ id, method, path }) => {
    const served = controlOperations.filter((operation) => operation.id === id)
    expect(served).toMatchObject([{ method, path: `/_sandbox${path}` }])
  })

  it.each(CONTROL_OPERATIONS)('describes each name in its path: $as', ({ path, params = {} }) => {
    expect(Array.from(path.matchAll(/:(\w+)/g), ([, name]) => name)).toEqual(Object.keys(params))
  })

  it.each(CONTROL_OPERATIONS.filter(({ params = {} }) => 'id' in params || 'user' in params))(
    'documents what it responds to an unknown id: $as',
    ({ errors }) => {
      expect(errors).toHaveProperty('not-found')
    },
  )
})
