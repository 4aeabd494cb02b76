import { beforeAll, describe, expect, it } from 'vitest'
import { copyState } from '../src/world/state-export.ts'
import { World } from '../src/world/world.ts'
import { isFullDepth, repeatCommand, seed } from './helpers/depth.ts'
import { CHECKS } from './simulation/checks.ts'
import { CORRUPTIONS, type Corruption } from './simulation/corruptions.ts'
import { type Life, liveLife } from './simulation/life.ts'
import type { Scene } from './simulation/scene.ts'

const { SIMULATION_LIVES, SIMULATION_LIFE, SIMULATION_STEPS = 200 } = process.env
/** So many lives reach every outcome that is required of them. */
const LIVES_FULL = 100
const LIVES = Number(SIMULATION_LIVES ?? (isFullDepth ? LIVES_FULL : 6))
const STEPS = Number(SIMULATION_STEPS)
/** Lives that are searched for a scene that each corruption can be made in. */
const SEARCHED_MAX = 50
const lives =
  SIMULATION_LIFE === undefined
    ? Array.from({ length: LIVES }, (_, life) => life)
    : [Number(SIMULATION_LIFE)]
const isWhole = lives.length >= LIVES_FULL && STEPS >= 200

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

const scenes = new Map<Corruption, Scene>()
/** The lives in which those scenes were found. */
const searched: Life[] = []
beforeAll(async () => {
  while (scenes.size < CORRUPTIONS.length && searched.length < SEARCHED_MAX) {
    searched.push(await live(searched.length, keepScenes))
  }
})

function keepScenes(scene: Scene) {
  for (const corruption of CORRUPTIONS) {
    if (!scenes.has(corruption) && corruption.of(scene)) scenes.set(corruption, copyOf(scene))
  }
}

describe('random lives', () => {
  const counts = new Map<string, number>()

  it(`keep every promise, ${lives.length} of ${STEPS} steps`, { timeout: 3_600_000 }, async () => {
    for (const life of lives) {
      const lived = await liveLife({ seed, life, steps: STEPS })
      if (lived.violations.length > 0) throw new Error(formatViolations(life, lived))
      for (const [what, times] of lived.counts) counts.set(what, (counts.get(what) ?? 0) + times)
    }
  })

  it.runIf(isWhole)('reach every limit, move and error that matters', () => {
    expect(REQUIRED.filter((what) => !counts.has(what))).toEqual([])
  })

  it('are the same when lived again, byte by byte', async () => {
    for (const life of [0, 4]) {
      const [once, again] = [searched[life] ?? (await live(life)), await live(life)]
      expect(again.log).toEqual(once.log)
      expect(again.transcript).toBe(once.transcript)
    }
  })
})

describe('the checks', () => {
  it.each(CORRUPTIONS)('see $what ($check)', (corruption: Corruption) => {
    const { check, corrupt } = corruption
    const scene = scenes.get(corruption)
    if (!scene) throw new Error('No life has such a scene.')
    const look = CHECKS[check]
    expect(look?.(copyOf(scene))).toEqual([])
    const corrupted = copyOf(scene)
    corrupt(corrupted)
    expect(look?.(corrupted)).not.toEqual([])
  })

  it('are each seen to fail', () => {
    expect(new Set(CORRUPTIONS.map(({ check }) => check))).toEqual(new Set(Object.keys(CHECKS)))
  })
})

const live = (life: number, watch?: (scene: Scene) => void) =>
  liveLife({ seed: 'again', life, steps: 120, watch })

/** A scene of its own, with a world that stands where the scene's stood. */
function copyOf({ world: _, texts, memory, ...scene }: Scene): Scene {
  const { before, after } = scene
  return {
    ...structuredClone(scene),
    before: copyState(before),
    after: copyState(after),
    texts: { ...texts },
    world: new World(copyState(after)),
    memory: { ...memory },
  }
}

function formatViolations(life: number, { log, violations }: Life): string {
  const variables = [`SIMULATION_LIFE=${life}`, `SIMULATION_STEPS=${STEPS}`]
  return [
    `Life ${life} of the seed ${seed} broke a promise in step ${log.length}:`,
    ...violations.map((what) => `  ${what}`),
    `Repeat it with: ${repeatCommand('test/simulation.test.ts', ...variables)}`,
    ...log.map((line, i) => `  ${i + 1}. ${line}`),
  ].join('\n')
}
