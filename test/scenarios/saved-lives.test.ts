import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createReceiver, type Receiver } from '../../src/client/receiver.ts'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import { writeScenario } from '../../src/scenario/save.ts'
import { isFullDepth, seed } from '../helpers/depth.ts'
import { createFolder } from '../helpers/folder.ts'
import { playHere } from './play-here.ts'
import { liveAndRead } from './saved-life.ts'

const LIVES = Number(process.env.SAVED_LIVES ?? (isFullDepth ? 6 : 1))
const STEPS = 60

const folder = createFolder()
let receiver: Receiver
let sandbox: Awaited<ReturnType<typeof createSandbox>>
beforeAll(async () => {
  receiver = await createReceiver({ respond: 204 })
  sandbox = await createSandbox()
})
afterAll(async () => {
  await receiver.close()
  await sandbox.close()
})

it(`plays what random lives are saved as, ${LIVES} of ${STEPS} steps`, {
  timeout: 3_600_000,
}, async () => {
  const first = Number(process.env.SAVED_LIFE ?? 0)
  for (let life = first; life < first + LIVES; life++) {
    const { secrets, session } = await liveAndRead({ seed, life, steps: STEPS, receiver })
    const scenario = writeScenario(session)
    expect(scenario.split('await ').length, `life ${life}`).toBeGreaterThan(20)
    expect(secrets.filter((secret) => scenario.includes(secret))).toEqual([])
    const file = join(folder, `saved-${life}.mjs`)
    writeFileSync(file, scenario)
    const played = await playHere(sandbox, file)
    expect(played, `life ${life}`).toMatchObject({ outcome: 'passed', problem: null })
  }
})
