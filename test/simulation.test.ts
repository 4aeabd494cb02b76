import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyState } from '../src/world/state-export.ts'
import { World } from '../src/world/world.ts'
import { CHECKS } from './simulation/checks.ts'
import { CORRUPTIONS, type Corruption } from './simulation/corruptions.ts'
import { type Life, liveLife } from './simulation/life.ts'
import { MUST } from './simulation/must.ts'
import { openReceiver, type Receiver } from './simulation/receiver.ts'
import type { Scene } from './simulation/scene.ts'

const { SIMULATION_SEED: seed = 'ramp', SIMULATION_LIFE } = process.env
const LIVES = Number(process.env.SIMULATION_LIVES ?? 200)
/** Lives in which a scene for each corruption is sought. */
const SOUGHT_MAX = 50
const STEPS = Number(process.env.SIMULATION_STEPS ?? 200)
const chosen = SIMULATION_LIFE === undefined ? undefined : Number(SIMULATION_LIFE)
const lives = chosen === undefined ? Array.from({ length: LIVES }, (_, life) => life) : [chosen]
const isWhole = lives.length >= 200 && STEPS >= 200

let receiver: Receiver
beforeAll(async () => {
  receiver = await openReceiver()
})
afterAll(() => receiver.close())

describe('random lives', () => {
  const tally = new Map<string, number>()

  it(`keep every promise, ${lives.length} of ${STEPS} steps`, { timeout: 3_600_000 }, async () => {
    for (const life of lives) {
      const lived = await liveLife({ seed, life, steps: STEPS, receiver })
      if (lived.violations.length > 0) throw new Error(tellOf(life, lived))
      for (const [what, times] of lived.tally) tally.set(what, (tally.get(what) ?? 0) + times)
    }
  })

  it.runIf(isWhole)('come upon every limit, move and refusal that matters', () => {
    expect(MUST.filter((what) => !tally.has(what))).toEqual([])
  })

  it('are the same when lived again, byte by byte', async () => {
    for (const life of [0, 4]) {
      const [once, again] = [await live(life), await live(life)]
      expect(again.log).toEqual(once.log)
      expect(again.transcript).toBe(once.transcript)
    }
  })
})

describe('the checks', () => {
  const scenes = new Map<Corruption, Scene>()
  beforeAll(async () => {
    for (let life = 0; scenes.size < CORRUPTIONS.length && life < SOUGHT_MAX; life++) {
      await live(life, keepWanted)
    }
  })

  it.each(CORRUPTIONS)('see $what ($check)', (corruption: Corruption) => {
    const { check, spoil } = corruption
    const scene = scenes.get(corruption)
    if (!scene) throw new Error('No life has such a scene.')
    const look = CHECKS[check]
    expect(look?.(copyOf(scene))).toEqual([])
    const spoilt = copyOf(scene)
    spoil(spoilt)
    expect(look?.(spoilt)).not.toEqual([])
  })

  it('are each seen to fail', () => {
    expect(new Set(CORRUPTIONS.map(({ check }) => check))).toEqual(new Set(Object.keys(CHECKS)))
  })

  function keepWanted(scene: Scene) {
    for (const corruption of CORRUPTIONS) {
      if (!scenes.has(corruption) && corruption.of(scene)) scenes.set(corruption, copyOf(scene))
    }
  }
})

const live = (life: number, watch?: (scene: Scene) => void) =>
  liveLife({ seed: 'again', life, steps: 120, receiver, watch })

/** A scene of its own, with a world that stands where the scene's stood. */
function copyOf({ world: _, texts, memory, ...scene }: Scene): Scene {
  const { before, after } = scene
  return {
    ...structuredClone(scene),
    before: copyState(before),
    after: copyState(after),
    texts: { ...texts },
    world: new World(copyState(after)),
    memory: { ...memory, owed: structuredClone(memory.owed), tokens: [...memory.tokens] },
  }
}

function tellOf(life: number, { log, violations }: Life): string {
  const again = `SIMULATION_SEED=${seed} SIMULATION_LIFE=${life} SIMULATION_STEPS=${STEPS}`
  return [
    `Life ${life} of the seed ${seed} broke a promise in step ${log.length}:`,
    ...violations.map((what) => `  ${what}`),
    `Live it again with: ${again} npx vitest run test/simulation.test.ts`,
    ...log.map((line, i) => `  ${i + 1}. ${line}`),
  ].join('\n')
}
