import { beforeAll, describe, expect, it } from 'vitest'
import { randomFor } from '../src/world/random.ts'
import { World } from '../src/world/world.ts'
import { repeatCommand, seed } from './helpers/depth.ts'
import { act } from './simulation/actions.ts'
import { CHECKS, findViolations } from './simulation/checks.ts'
import { openLife, type Scene, type Step, type StepResponse } from './simulation/life.ts'

const { SIMULATION_LIVES, SIMULATION_LIFE, SIMULATION_STEPS = 200 } = process.env
/** So many lives reach every outcome that is required of them. */
const LIVES_MIN = 11
const LIVES = Number(SIMULATION_LIVES ?? LIVES_MIN)
const STEPS = Number(SIMULATION_STEPS)
const lives =
  SIMULATION_LIFE === undefined
    ? Array.from({ length: LIVES }, (_, life) => life)
    : [Number(SIMULATION_LIFE)]
const isWhole = lives.length >= LIVES_MIN && STEPS >= 200
/** Characters of a body that the log shows; only an imported state is longer. */
const SHOWN_MAX = 400

/** Where lives begin: two integrators, and one user for each kind of access. */
const CAST = {
  integrators: [
    { name: 'one', apiKey: 'key-one' },
    { name: 'two', apiKey: 'key-two', actsWithoutToken: true },
  ],
  users: [
    { email: 'alice@example.com', status: 'verified', integrators: ['one', 'two'] },
    {
      ...{ email: 'bob@example.com', status: 'verified', integrators: ['two'] },
      accessibleBy: ['jwt', 'apiKey'],
    },
    { email: 'carol@example.com', status: 'in-review', integrators: ['one'] },
  ],
}

/** Each of these is tried in a quarter of the lives, so that some meet any two of them. */
const OTHER_WAYS = {
  'transactions.settlement': 'auto',
  'transactions.bankRefused': 'cancelled',
  'transactions.expiryLag': '30s',
  'status.quote-amount': 400,
  'transactions.cancelledStatus': 'canceled',
  'transactions.fundsAfter': '1h',
  'status.too-many-decimals': 400,
  'status.quote-expired': 410,
  'status.quote-spent': 400,
  'limits.cancelled': 5,
  'login.eligible': 'registered',
  'status.unknown-user': 200,
  'tokens.afterStatusChange': 'revoke',
  'status.verified-field': 400,
}

/** Operations and outcomes that random lives must reach to prove enough. */
const REQUIRED = Object.entries({
  createTransaction:
    '200 limit-active limit-cancelled limit-minimum limit-maximum expired-token not-verified',
  cancelTransaction: '200 400 404',
  getTransaction: '200 404',
  listTransactions: '200 400',
  createUser: '200 400 409',
  updateUser: '200 401',
  importKyc: '200 400',
  verifyLoginCode: '200 401',
  simulateFundsReceived: '200 409',
  simulateSettled: '200 409',
  simulateBankRefused: '200',
  simulateStatus: '200',
  advanceClock: '200 400 409',
  fired: 'expire-transaction receive-funds settle-transaction change-kyc-status',
  patchSettings: '200 400',
  restoreSnapshot: '200',
  importState: '200 400',
  reset: '200',
}).flatMap(([action, outcomes]) => outcomes.split(' ').map((outcome) => `${action} ${outcome}`))

const reached = new Set<string>()

it(`every invariant holds in random runs, ${lives.length} of ${STEPS} steps`, {
  timeout: 3_600_000,
}, async () => {
  for (const life of lives) await liveLife(life, { onStep: (scene) => note(reached, scene) })
})

it.runIf(isWhole)('random runs reach every limit, transition and error that matters', () => {
  expect(REQUIRED.filter((what) => !reached.has(what))).toEqual([])
})

/** What a sandbox that breaks a promise might do as it creates a transaction, by the check that sees it. */
const CORRUPTIONS: Readonly<Record<string, (scene: Scene) => unknown>> = {
  outcome: ({ response }) => Object.assign(response, { status: 500 }),
  rejections: ({ response }) => Object.assign(response, { status: 400 }),
  reads: ({ step }) => Object.assign(step, { action: 'getTransaction' }),
  resets: ({ step }) => Object.assign(step, { action: 'reset', body: {} }),
  firing({ step, response, after }) {
    Object.assign(step, { action: 'advanceClock' })
    response.data.fired = [{ at: new Date(after.now).toISOString(), kind: 'x', ref: 'x' }]
  },
  moves: ({ after }) => Object.assign(after.transactions[0] ?? {}, { wallet: 'another' }),
  limits: ({ settings }) => Object.assign(settings, { 'limits.active': 0 }),
  announced: ({ after }) => after.events.pop(),
  payloads: ({ after }) => Object.assign(after.events.at(-1)?.payload ?? {}, { leftSideValue: 1 }),
  journals: ({ after }) => after.messages.shift(),
  aim: ({ after }) => Object.assign(after.users[2] ?? {}, { reasons: ['touched'] }),
  whole: ({ after }) => Object.assign(after.transactions.at(-1) ?? {}, { status: 'complete' }),
  money: ({ after }) => Object.assign(after.transactions.at(-1) ?? {}, { fee: 1 }),
  tasks: ({ after }) => after.tasks.splice(0),
  identities: ({ after }) => Object.assign(after.users[0] ?? {}, { id: after.users[1]?.id }),
  time: ({ after }) => Object.assign(after, { now: after.now - 1 }),
  indexes: ({ world }) => world.usersById.clear(),
  reload: ({ world }) =>
    world.loginCodes.set('elsewhere', { ...[...world.loginCodes.values()][0] } as never),
}

describe('the checks', () => {
  let found: Scene | undefined
  beforeAll(async () => {
    const isCreation = ({ step, response, before }: Scene) =>
      step.action === 'createTransaction' &&
      response.status === 200 &&
      before.transactions.length > 0 &&
      before.loginCodes.length > 0
    for (let life = 0; life < 10 && !found; life++) {
      await liveLife(life, {
        onStep: (scene) => {
          if (!found && isCreation(scene)) found = copyOf(scene)
        },
        isOver: () => found !== undefined,
      })
    }
  })

  it.each(Object.keys(CHECKS))('the checks detect a broken invariant: %s', (name) => {
    if (!found) throw new Error('No life has such a scene.')
    const scene = copyOf(found)
    expect(CHECKS[name]?.(scene)).toEqual([])
    CORRUPTIONS[name]?.(scene)
    expect(CHECKS[name]?.(scene)).not.toEqual([])
  })
})

interface LiveOptions {
  /** Sees each scene after it was checked. */
  onStep?: (scene: Scene) => void
  /** Ends it before its last step. */
  isOver?: () => boolean
}

/** Lives one random life up to the first thing that is wrong. */
async function liveLife(number: number, { onStep, isOver }: LiveOptions = {}) {
  const log: string[] = []
  const draw = randomFor(`ways ${seed} ${number}`)
  const life = openLife({
    chance: `${seed} ${number}`,
    fixture: CAST,
    seed: `life ${number}`,
    settings: {
      ...Object.fromEntries(Object.entries(OTHER_WAYS).filter(() => draw() % 4 === 0)),
      'users.visibility': number % 2 === 0 ? 'platform' : 'integrator',
    },
    onStep(scene) {
      log.push(toLine(scene.step, scene.response))
      const violations = [...findViolations(scene), ...announcements.findMissing(scene)]
      if (violations.length > 0) throw new Error(formatViolations(number, log, violations))
      onStep?.(scene)
    },
  })
  const announcements = followAnnouncements(life.services.world)
  while (log.length < STEPS && !isOver?.()) await act(life)
  await life.app.close()
}

/** A world's file is written when a change is announced, so a restart would lose any other change. */
function followAnnouncements(first: World) {
  let followed: World | undefined
  let isAnnounced = false
  follow(first)
  return {
    findMissing({ before, after, world }: Scene): string[] {
      if (followed !== world) follow(world)
      const parts = Object.keys(after) as (keyof typeof after)[]
      const changed = parts.filter(
        (part) => before[part] !== after[part] && !UNSAVED.includes(part),
      )
      const missing = isAnnounced ? [] : changed
      isAnnounced = false
      return missing.map((part) => `a change of ${part} was not announced`)
    },
  }

  function follow(world: World) {
    followed = world
    isAnnounced = true
    world.listen(() => {
      if (followed === world) isAnnounced = true
    })
  }
}

/** A clock that runs changes nothing else, and calls that only read are counted. */
const UNSAVED: readonly string[] = ['now', 'position']

function note(reached: Set<string>, { step, response }: Scene) {
  const { status, code, data } = response
  const isNamed = status >= 400 && step.action === 'createTransaction'
  reached.add(`${step.action} ${isNamed ? code : status}`)
  const fired = Array.isArray(data.fired) ? data.fired : []
  for (const { kind } of fired) reached.add(`fired ${kind}`)
}

/** A scene of its own, with a world that stands where the scene's stood. */
function copyOf({ world: _, ...scene }: Scene): Scene {
  return { ...structuredClone(scene), world: new World(structuredClone(scene.after)) }
}

function toLine({ route, key, token, body }: Step, { status }: StepResponse): string {
  const who = `${key ?? 'no key'}${token ? ` for ${token.userId}` : ''}`
  const sent = typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
  return `${route} ${sent.slice(0, SHOWN_MAX)} (${who}) -> ${status}`
}

function formatViolations(life: number, log: readonly string[], violations: readonly string[]) {
  const variables = [`SIMULATION_LIFE=${life}`, `SIMULATION_STEPS=${STEPS}`]
  return [
    `Life ${life} of the seed ${seed} broke a promise in step ${log.length}:`,
    ...violations.map((what) => `  ${what}`),
    `Repeat it with: ${repeatCommand('test/simulation.test.ts', ...variables)}`,
    ...log.map((line, i) => `  ${i + 1}. ${line}`),
  ].join('\n')
}
