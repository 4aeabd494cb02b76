import { expect, it } from 'vitest'
import { SUCCESS_STATUSES } from '../../src/world/settings/operations.ts'
import { EMAIL, openScene, type Scene } from '../assumptions/scene.ts'
import { sendTo } from '../helpers/app.ts'
import { createChecker } from '../openapi/checker.ts'

const OTHERS = Object.fromEntries(
  Object.entries(SUCCESS_STATUSES).map(([id, { options }]) => [id, Number(options[1])]),
)

/** The statuses below 400 that the document gives each operation. */
async function documented({ app }: Scene): Promise<Record<string, string[]>> {
  const { paths } = JSON.parse((await app.send('/openapi.json')).text)
  const operations = Object.values<object>(paths).flatMap((item) => Object.values(item))
  const rows = operations.map(({ operationId, responses }) => [
    `status.${operationId}`,
    Object.keys(responses).filter((status) => status < '400'),
  ])
  return Object.fromEntries(rows)
}

it('gives the success of every operation the status of its setting', async () => {
  const [usual, changed] = [openScene({}), openScene(OTHERS)]
  const defaults = Object.entries(SUCCESS_STATUSES).map(([id, row]) => [id, [`${row.default}`]])
  expect(await documented(usual)).toEqual(Object.fromEntries(defaults))
  const expected = Object.entries(OTHERS).map(([id, status]) => [id, [String(status)]])
  expect(await documented(changed)).toEqual(Object.fromEntries(expected))
  const path = '/v2/webhook-configurations'
  await sendTo(changed.app, `PUT ${path}`, { body: { url: 'http://127.0.0.1:9/' } })
  const checker = createChecker(JSON.parse((await changed.app.send('/openapi.json')).text))
  const { status, headers, text } = await sendTo(changed.app, `DELETE ${path}`)
  const type = headers.get('content-type')
  expect([status, text]).toEqual([200, '{"success":true}'])
  expect(checker.check({ method: 'DELETE', path, status, type, text })).toEqual([])
  const create = ({ ask }: Scene) => ask('POST /v2/users', { body: { email: EMAIL } })
  expect([(await create(usual)).status, (await create(changed)).status]).toEqual([200, 201])
})
