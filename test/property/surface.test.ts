import { describe, expect, it } from 'vitest'
import { SETTING_IDS, settingOf } from '../../src/world/settings/index.ts'
import type { TestApp } from '../helpers/app.ts'
import { isFullDepth, repeatCommand } from '../helpers/depth.ts'
import fc, { type Arbitrary } from '../helpers/fast-check.ts'
import { readState } from '../helpers/state.ts'
import { logIn, quote, readCode } from '../helpers/story.ts'
import { type Checker, createChecker } from '../openapi/checker.ts'
import { documents } from '../openapi/documents.ts'
import { ALICE, BOB, openCast } from '../openapi/story-v2.ts'
import { callsOf, type DrawnCall, toWire } from './calls.ts'

/** `PROPERTY_RUNS=5000 TEST_SEED=random npx vitest run test/property` looks longer. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? (isFullDepth ? 7 : 2))
/** Part of the operations that succeed at least once: few runs reach few of them. */
const SUCCESSFUL_MIN = isFullDepth ? 1 / 3 : 1 / 10
/** A world and its document cost as much as twenty calls. */
const [CALLS_MIN, CALLS_MAX] = [40, 80]
/** Under a second on a quiet machine. */
const RUN_MAX_MS = 20_000

describe.each(['contract', 'control'] as const)('any calls of the %s', (name) => {
  const calls = callsOf(documents[name])
  const reached: Reached = new Map()

  it(
    'any calls get documented responses, and change nothing when they are refused',
    async () => {
      const property = fc.asyncProperty(
        settings,
        fc.array(calls, { minLength: CALLS_MIN, maxLength: CALLS_MAX, size: 'max' }),
        async (changed, drawn) => {
          const scene = await openScene(name, changed)
          for (const call of drawn) await checkCall(scene, call, reached)
          await scene.app.close()
        },
      )
      await fc.assert(property, { numRuns: RUNS, asyncReporter, endOnFailure: true })
      const successful = [...reached.values()].filter((statuses) => Math.min(...statuses) < 300)
      expect(successful.length, format(reached)).toBeGreaterThan(reached.size * SUCCESSFUL_MIN)
    },
    RUNS * RUN_MAX_MS,
  )
})

/** Settings that are no choice, or whose other option only gets in the way of every call. */
const NUMBERS: Readonly<Record<string, readonly (string | number)[]>> = {
  'requests.perMinute': [0, 0, 0, 5],
  'limits.active': [3, 1],
  'transactions.list.maximum': [100, 1],
  'names.securityAnswerField': ['etransferSecurityAnswer', 'securityAnswer'],
  'v1.sunset': ['extended', '2026-07-01T00:00:00Z'],
}

/** Settings whose other option the document, which describes the defaults, does not have. */
const DESCRIBED: readonly string[] = ['requirements.shape', 'status.created']

/** Some settings that differ from their defaults. */
const settings = fc.record(
  Object.fromEntries(
    SETTING_IDS.filter((id) => !DESCRIBED.includes(id)).flatMap((id) => {
      const { options } = settingOf(id)
      const values = NUMBERS[id] ?? (typeof options === 'string' ? [] : options)
      return values.length > 0 ? [[id, fc.constantFrom(...values)]] : []
    }),
  ),
  { requiredKeys: [] },
) as Arbitrary<Record<string, string | number>>

/** A world with users and transactions to call, and what `$` stands for in it. */
interface Scene {
  app: TestApp
  names: Record<string, string | number>
  checker: Checker
  /** After the last call, where it changed nothing. */
  state?: string | undefined
  /** Statuses that an earlier call set for a catch receiver. */
  chosen: Set<number>
}

async function openScene(name: 'contract' | 'control', changed: object): Promise<Scene> {
  const { app, ...ids } = await openCast()
  const [alice, bob] = [await logIn(app, { email: ALICE }), await logIn(app, { email: BOB })]
  const { url } = await alice.call('GET /v2/users/{userId}/kyc-url')
  const { shareToken } = await app.control('POST', '/simulate/share-tokens', { email: ALICE })
  const { quoteId } = await quote(app, {})
  const names = {
    alice: ids.alice,
    bob: ids.bob,
    carol: ids.carol,
    aliceToken: alice.token,
    bobToken: bob.token,
    tx: (await alice.buy()).id,
    foreignTx: (await bob.buy()).id,
    quote: quoteId,
    kyc: url.split('/').at(-1) ?? '',
    share: shareToken,
  }
  await app.call('POST /v2/auth/login-codes', { body: { email: ALICE } })
  const code = await readCode(app, ALICE)
  await app.control('PUT', '/rates', { USDC: { cad: 1.4 } })
  await app.control('PATCH', '/settings', changed)
  const path = name === 'contract' ? '/openapi.json' : '/_sandbox/openapi.json'
  const checker = createChecker(JSON.parse((await app.send(path)).text))
  return { app, names: { ...names, code }, checker, chosen: new Set() }
}

/** Statuses of responses, by operation. */
type Reached = Map<string, Set<number>>

/** Makes a call and fails where it breaks a promise that holds for every call. */
async function checkCall(scene: Scene, call: DrawnCall, reached: Reached) {
  const { app, names, checker, chosen } = scene
  const { operationId, method } = call
  const before = scene.state ?? (await readState(app))
  const [path, init] = toWire(call, names)
  const { status, headers, text } = await app.send(path, init)
  const what = `${method} ${path} ${String(init.body ?? '')} responded with ${status} ${text}`
  const found = checker.find(method, path)
  const isChosen = found?.operation.responses.default && chosen.has(status)
  if (!isChosen) expect(status, what).toBeLessThan(500)
  const actual = { method, path, status, type: headers.get('content-type'), text }
  // By default calls are not limited in number.
  if (found && status !== 429) expect(checker.check(actual), what).toEqual([])
  reached.set(operationId, (reached.get(operationId) ?? new Set()).add(status))
  scene.state = status < 400 ? undefined : await readState(app)
  if (scene.state !== undefined) {
    expect(uncounted(operationId, scene.state), what).toBe(uncounted(operationId, before))
  } else if (operationId === 'createQuote') names.quote = JSON.parse(text).data.quoteId
  else if (operationId === 'createTransaction') names.tx = JSON.parse(text).data.id
  else if (operationId === 'setCatchResponse') chosen.add(JSON.parse(String(init.body)).status)
}

/** A wrong login code is counted, as the contract's limits on attempts ask for. */
const uncounted = (operationId: string, state: string) =>
  /verifyLoginCode/i.test(operationId) ? state.replace(/"attempts":\d+/g, '"attempts":0') : state

/** As fast-check reports it, with the command that repeats it. */
async function asyncReporter<Values>(details: fc.RunDetails<Values>): Promise<void> {
  if (!details.failed) return
  const again = repeatCommand('test/property/surface.test.ts', `PROPERTY_RUNS=${RUNS}`)
  const report = await fc.asyncDefaultReportMessage(details)
  throw new Error(`Repeat it with: ${again}\n${report}`, { cause: details.errorInstance })
}

const format = (reached: Reached) =>
  [...reached].map(([id, statuses]) => `${id}: ${[...statuses].sort().join(' ')}`).join('\n')
