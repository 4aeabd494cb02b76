import { expect, it } from 'vitest'
import { successOf } from '../../src/http/status.ts'
import { toSettings } from '../../src/world/settings/index.ts'
import { sendTo } from '../helpers/app.ts'
import { createChecker } from './checker.ts'
import { documents } from './documents.ts'
import { EXAMPLES, openExample } from './example-calls.ts'

const checker = createChecker(documents.contract)
const settings = toSettings({})

it.each(EXAMPLES.map(({ id }) => id))(
  'the request example of %s gets a documented response',
  async (id) => {
    const { app, operation, target, sent } = await openExample(id)
    const { method } = operation
    const { status, text, headers } = await sendTo(app, `${method} ${target}`, sent)
    expect([status, text]).toEqual([successOf(operation, settings), text])
    const type = headers.get('content-type')
    expect(checker.check({ method, path: target, status, type, text })).toEqual([])
    await app.close()
  },
)
