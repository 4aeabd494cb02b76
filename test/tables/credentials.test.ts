import { expect, it } from 'vitest'
import { OPERATIONS } from '../../src/host/operations.ts'
import { isSettingId, settingOf } from '../../src/world/settings/index.ts'
import { type Ask, EMAIL, openScene, type Scene } from '../assumptions/scene.ts'

interface Around {
  userId: string
  txId?: string
}

/** A call whose credentials are right or wrong; they are looked at before its input. */
function callOf(id: string, around: Around): [route: string, ask: Ask] {
  const operation = OPERATIONS.find((row) => row.id === id)
  if (operation === undefined) throw new Error(id)
  const path = operation.path.replace(
    /:(userId|txId)/g,
    (_, name: keyof Around) => `${around[name]}`,
  )
  const isNamed = operation.contract?.user === 'query'
  const query = isNamed ? { userId: around.userId, tx_id: `${around.txId}` } : {}
  const body = operation.body && { body: {} }
  return [`${operation.method} ${path}`, { query, ...body }]
}

/** Every operation under every rule that it can have. */
const ROWS = OPERATIONS.flatMap(({ id, contract }) => {
  if (contract === undefined) return []
  const { credentials } = contract
  if (!isSettingId(credentials)) return [{ id, rule: credentials, settings: {} }]
  const rules = [settingOf(credentials).options].flat()
  return rules.map((rule) => ({ id, rule, settings: { [credentials]: rule } }))
})

/** What is let in, of: key and token, key, token, nothing; for a verified user. */
const ADMITTED: Readonly<Record<string, readonly boolean[]>> = {
  token: [true, false, false, false],
  key: [true, true, false, false],
  'key-or-token': [true, true, true, false],
  'key-until-verified': [true, false, false, false],
  // A quote is for nobody, so that a token makes no difference.
  none: [true, true, true, true],
}

const MISSING = ['missing-key', 'missing-token']

async function admittedBy(scene: Scene, id: string) {
  const alice = await scene.alice()
  const { data } = await scene.order(alice)
  const [route, ask] = callOf(id, { userId: alice.id, txId: data.id })
  const { token } = alice
  const admitted: boolean[] = []
  for (const credentials of [{ token }, {}, { key: null, token }, { key: null }]) {
    const { headers } = await scene.ask(route, { ...ask, ...credentials })
    admitted.push(!MISSING.includes(headers.get('x-sandbox-error') ?? ''))
  }
  return admitted
}

it.each(ROWS)(
  'the operation $id accepts the credentials of the rule $rule',
  async ({ id, rule, settings }) => {
    const scene = openScene(settings)
    expect(await admittedBy(scene, id)).toEqual(ADMITTED[rule])
    await scene.app.close()
  },
)

it.each(ROWS.filter(({ rule }) => rule === 'key-until-verified'))(
  'key-until-verified accepts the key alone for a user who is not verified ($id)',
  async ({ id, settings }) => {
    const scene = openScene(settings)
    const { data } = await scene.ask('POST /v2/users', { body: { email: EMAIL } })
    const { headers } = await scene.ask(...callOf(id, { userId: data.id }))
    expect(MISSING).not.toContain(headers.get('x-sandbox-error'))
    const path = `/requests/${headers.get('x-sandbox-request')}`
    const { notes } = await scene.app.control('GET', path)
    expect(notes).toContain(
      `Which credentials does \`${id}\` take? Decided by the setting auth.${id}: key-until-verified.`,
    )
    await scene.app.close()
  },
)
