import { expect, it } from 'vitest'
import { PHRASES } from '../src/cli/control/words.ts'
import { CONTROL_OPERATIONS } from '../src/control-api/index.ts'
import { controlOperations } from '../src/http/control/index.ts'
import { runInProcess } from './helpers/in-process.ts'

it.each(CONTROL_OPERATIONS.filter(({ tool }) => tool))(
  'the command line has a command for the tool $as',
  ({ as, words, also }) => {
    expect(words ?? also, as).toBeTruthy()
  },
)

it('the help lists the first word of every control command', async () => {
  const { out } = await runInProcess(['help', '--all'])
  for (const { text } of PHRASES)
    expect(out).toMatch(new RegExp(`^ {2}${text.split(' ')[0]} `, 'm'))
})

it.each(CONTROL_OPERATIONS)(
  'a control operation is implemented at its route: $as',
  ({ id, method, path }) => {
    const served = controlOperations.filter((operation) => operation.id === id)
    expect(served).toMatchObject([{ method, path: `/_sandbox${path}` }])
  },
)

it.each(CONTROL_OPERATIONS)(
  'a control operation describes each name in its path: $as',
  ({ path, params = {} }) => {
    expect(Array.from(path.matchAll(/:(\w+)/g), ([, name]) => name)).toEqual(Object.keys(params))
  },
)

it.each(CONTROL_OPERATIONS.filter(({ params = {} }) => 'id' in params || 'user' in params))(
  'a control operation documents what it responds to an unknown id: $as',
  ({ errors }) => {
    expect(errors).toHaveProperty('not-found')
  },
)
