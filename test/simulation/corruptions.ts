import type { Scene } from './scene.ts'

/** A scene that a broken sandbox would show, and the check that must see it. */
export interface Corruption {
  check: string
  what: string
  /** Which scene of a life to corrupt. */
  of(scene: Scene): boolean
  corrupt(scene: Scene): void
}

const isCreation = ({ step, response, after, before, memory }: Scene) =>
  step.action === 'createTransaction' &&
  response.status === 200 &&
  before.transactions.length > 1 &&
  after.transactions.at(-1)?.status === 'pending request money transfer' &&
  memory.forced.size === 0

const isExpiry = ({ step, after, before }: Scene) =>
  step.action === 'advanceClock' &&
  after.events.length > before.events.length &&
  after.transactions.at(-1)?.status === 'expired'

const newest = ({ after }: Scene) => after.transactions.at(-1) as Scene['after']['transactions'][0]

const creation = (check: string, what: string, corrupt: Corruption['corrupt']): Corruption => ({
  check,
  what,
  corrupt,
  of: isCreation,
})

export const CORRUPTIONS: readonly Corruption[] = [
  creation('outcome', 'a failure', ({ response }) => Object.assign(response, { status: 500 })),
  creation('rejections', 'a trace of a rejected call', ({ response }) =>
    Object.assign(response, { status: 400 }),
  ),
  creation('reads', 'a read that writes', ({ step }) =>
    Object.assign(step, { action: 'getTransaction' }),
  ),
  creation('shape', 'a field that leaked', ({ response }) =>
    Object.assign(response.body as object, { userId: 'leaked' }),
  ),
  creation('replacing', 'rows that outlive a reset', ({ step }) =>
    Object.assign(step, { action: 'reset', body: {} }),
  ),
  creation('whole', 'a status without history', (scene) =>
    Object.assign(newest(scene), { status: 'complete', paymentId: '0x1' }),
  ),
  creation('money', 'a millionth too much', (scene) => {
    newest(scene).fee += 1
  }),
  creation('limits', 'one active too many', ({ settings }) =>
    Object.assign(settings, { 'limits.active': 0 }),
  ),
  {
    check: 'moves',
    what: 'a final transaction that moves',
    of: (scene) => isExpiry(scene) && scene.memory.forced.size === 0,
    corrupt: (scene) => {
      newest(scene).history.push({ status: 'complete', at: scene.after.now })
    },
  },
  creation('aim', 'another user touched', ({ after, before }) => {
    const index = before.users.findIndex(({ transactionCount }) => transactionCount === 0)
    Object.assign(after.users[index] ?? {}, { reasons: ['touched'] })
  }),
  creation('announced', 'a lost event', ({ after }) => after.events.pop()),
  creation('payloads', 'an event with another amount', ({ after }) =>
    Object.assign(after.events.at(-1)?.payload ?? {}, { leftSideValue: 1 }),
  ),
  creation('journals', 'an event unsaid', ({ texts }) =>
    Object.assign(texts, { before: { ...texts.before, events: '[{"id":"evt_0"}]' } }),
  ),
  creation('identities', 'an id given twice', (scene) =>
    Object.assign(newest(scene), { id: scene.before.transactions[0]?.id }),
  ),
  creation('time', 'time that goes back', ({ after, before }) => {
    after.now = before.now - 1
  }),
  creation('tasks', 'an expiry forgotten', ({ after }) => after.tasks.pop()),
  {
    check: 'firing',
    what: 'a task that fired unasked',
    of: isExpiry,
    corrupt: ({ response }) => (response.data.fired as unknown[]).pop(),
  },
  creation('indexes', 'a user that is not found', ({ world }) => world.usersById.clear()),
  creation('reload', 'a code filed twice', ({ world }) => {
    const [code] = world.loginCodes.values()
    if (code) world.loginCodes.set('elsewhere', { ...code })
  }),
  creation('keeping', 'a change that is not on disk', (scene) => {
    scene.kept = scene.before
  }),
]
