import { describe, expect, it } from 'vitest'
import { isFullDepth, repeatCommand } from '../helpers/depth.ts'
import fc from '../helpers/fast-check.ts'
import { makeDocuments } from '../openapi/documents.ts'
import { checkCall, type Reached } from './check-call.ts'
import { requestsOf } from './request.ts'
import { openScene } from './scene.ts'
import { settings } from './settings.ts'

/** `PROPERTY_RUNS=5000 TEST_SEED=random npx vitest run test/property` looks longer. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? (isFullDepth ? 15 : 3))
/** Part of the operations that succeed at least once: few runs reach few of them. */
const SUCCESSFUL_MIN = isFullDepth ? 1 / 3 : 1 / 10
const CALLS_MAX = 80
const RUN_MAX_MS = 5_000

describe.each(['contract', 'control'] as const)('any calls of the %s', (name) => {
  const requests = requestsOf(makeDocuments()[name])
  const reached: Reached = new Map()

  it(
    'get documented responses, and change nothing when they are refused',
    async () => {
      const property = fc.asyncProperty(
        settings,
        fc.array(requests, { minLength: 1, maxLength: CALLS_MAX, size: 'max' }),
        async (changed, drawn) => {
          const scene = await openScene(name, changed)
          for (const request of drawn) await checkCall(scene, request, reached)
          await scene.app.close()
        },
      )
      await fc.assert(property, { numRuns: RUNS, asyncReporter })
      const successful = [...reached.values()].filter((statuses) => [...statuses].some(isSuccess))
      expect(successful.length, format(reached)).toBeGreaterThan(reached.size * SUCCESSFUL_MIN)
    },
    RUNS * RUN_MAX_MS,
  )
})

/** As fast-check reports it, with the command that repeats it. */
async function asyncReporter<Values>(details: fc.RunDetails<Values>): Promise<void> {
  if (!details.failed) return
  const again = repeatCommand('test/property/surface.test.ts', `PROPERTY_RUNS=${RUNS}`)
  const report = await fc.asyncDefaultReportMessage(details)
  throw new Error(`Repeat it with: ${again}\n${report}`, { cause: details.errorInstance })
}

const isSuccess = (status: number) => status < 300

const format = (reached: Reached) =>
  [...reached].map(([id, statuses]) => `${id}: ${[...statuses].sort().join(' ')}`).join('\n')
