import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { replayRecording } from '../../src/agreement/replay/replay.ts'
import { formatReplay } from '../../src/agreement/replay/report.ts'
import { writeScenario } from '../../src/agreement/save/scenario.ts'
import { createReceiver, type Receiver } from '../../src/client/receiver.ts'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { perform } from '../../src/scenario/perform.ts'
import { isFullDepth, seed } from '../helpers/depth.ts'
import { createFolder } from '../helpers/folder.ts'
import { entriesOf, recordLife } from './life.ts'

const LIVES = Number(process.env.AGREEMENT_LIVES ?? (isFullDepth ? 12 : 2))
const STEPS = 60

const folder = createFolder()
let saved = 0
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

/** A world of the sandbox, reached without a socket. */
const world = () => ({
  url: `${sandbox.url}/w/replay`,
  fetch: (request: Request) => sandbox.world('replay').fetch(request),
})

describe('random lives', () => {
  it(`replay the same and play as saved scenarios, ${LIVES} of ${STEPS} steps`, {
    timeout: 3_600_000,
  }, async () => {
    const first = Number(process.env.AGREEMENT_LIFE ?? 0)
    for (let life = first; life < first + LIVES; life++) {
      const { text, secrets, session } = await recordLife({ seed, life, steps: STEPS, receiver })
      const compared = await replayRecording(entriesOf(text), sandbox.world('replay'))
      const others = compared.filter(({ verdict }) => verdict !== 'same')
      expect(others.length, formatReplay(`life ${life}\n${text}`, compared)).toBe(0)
      expect(compared.length).toBeGreaterThan(20)
      const scenario = writeScenario(session)
      expect(findIn(text, secrets), `life ${life}`).toEqual([])
      expect(await playSaved(scenario), `life ${life}`).toMatchObject({
        outcome: 'passed',
        problem: null,
      })
    }
  })
})

const findIn = (text: string, secrets: readonly string[]) =>
  secrets.filter((secret) => text.includes(secret))

/** Plays the scenario that a recording is saved as. */
async function playSaved(scenario: string) {
  const file = join(folder, `saved-${++saved}.mjs`)
  writeFileSync(file, scenario)
  const { url, fetch } = world()
  const request = { name: 'saved', file, url, webhookUrl: null, controlToken: null }
  return perform(await loadScenario(file), { request, fetch })
}
