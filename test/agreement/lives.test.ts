import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findRemedies, keyOf } from '../../src/agreement/replay/remedies.ts'
import { replayRecording } from '../../src/agreement/replay/replay.ts'
import { formatReplay } from '../../src/agreement/replay/report.ts'
import { writeScenario } from '../../src/agreement/save/scenario.ts'
import { settingsOf } from '../../src/cli/replay.ts'
import type { Json } from '../../src/client/http.ts'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { perform } from '../../src/scenario/perform.ts'
import { SETTING_IDS, settingOf } from '../../src/world/settings/index.ts'
import { isFullDepth, seed } from '../helpers/depth.ts'
import { createFolder } from '../helpers/folder.ts'
import { rollDice } from '../simulation/dice.ts'
import { openReceiver, type Receiver } from '../simulation/receiver.ts'
import { entriesOf, recordLife } from './life.ts'

const LIVES = Number(process.env.AGREEMENT_LIVES ?? (isFullDepth ? 12 : 2))
const STEPS = 60

/** Without webhooks a recording does not say when money moved, and so not why a limit was reached. */
const SILENT = ['preset', 'webhooks.url']
/** Settings that are choices, three at a time. */
const CHOICES = SETTING_IDS.filter(
  (id) => !SILENT.includes(id) && Array.isArray(settingOf(id).options),
)

function flip(n: number): Record<string, string> {
  const dice = rollDice(`flip ${seed} ${n}`)
  const ids = [0, 1, 2].map(() => CHOICES[dice.below(CHOICES.length)] ?? 'quotes.shape')
  const flipped = ids.map((id) => {
    const { options, format, default: usual } = settingOf(id)
    const others = [...options].filter((option) => option !== format(usual))
    return [id, others[dice.below(others.length)]]
  })
  return Object.fromEntries(flipped)
}

const FLIPS: Record<string, string>[] = [
  { 'users.create.status': '201', 'quotes.shape': 'minimal', 'transactions.sending': 'shown' },
  ...(isFullDepth ? Array.from({ length: 6 }, (_, n) => flip(n)) : []),
]

const folder = createFolder()
let saved = 0
let receiver: Receiver
let sandbox: Awaited<ReturnType<typeof createSandbox>>
beforeAll(async () => {
  receiver = await openReceiver()
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
      const { text, secrets } = await recordLife({ seed, life, steps: STEPS, receiver })
      const compared = await replayRecording(entriesOf(text), world())
      const others = compared.filter(({ verdict }) => verdict !== 'same')
      expect(others.length, formatReplay(`life ${life}\n${text}`, compared, undefined)).toBe(0)
      expect(compared.length).toBeGreaterThan(20)
      const scenario = writeScenario(entriesOf(text))
      expect(findIn(text + scenario, secrets), `life ${life}`).toEqual([])
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

describe('settings that differ', () => {
  it.each(FLIPS)(
    'are named for each difference: %j',
    async (flipped) => {
      const { text, secrets } = await recordLife({
        seed,
        life: 1,
        steps: isFullDepth ? 40 : 25,
        receiver,
        settings: flipped,
      })
      const entries = entriesOf(text)
      const replay = (settings: Record<string, string>) =>
        replayRecording(entries, { ...world(), settings })
      const compared = await replay({})
      const { items } = await sandbox.world('replay').control<Json>('GET', '/assumptions')
      const remedies = await findRemedies(compared, {
        entries,
        assumptions: items,
        settingsOf,
        replay,
      })
      const differences = compared.flatMap((one) => one.differences.map((it) => keyOf(one, it)))
      const named = differences.map(
        (key) => remedies.byDifference.get(key)?.map(({ id }) => id) ?? [],
      )
      expect(findIn(formatReplay('a life', compared, remedies), secrets)).toEqual([])
      expect(named.filter((ids) => !ids.some((id) => id in flipped))).toEqual([])
    },
    120_000,
  )
})
