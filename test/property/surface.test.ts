import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeDocuments } from '../openapi/documents.ts'
import { meet, type Reached } from './meet.ts'
import { requestsOf } from './request.ts'
import { settings } from './settings.ts'
import { openMeeting } from './world.ts'

/** `PROPERTY_SECONDS=600 npx vitest run test/property` looks longer. */
const SECONDS = Number(process.env.PROPERTY_SECONDS ?? 8)
const CALLS_MAX = 80

describe.each(['contract', 'control'] as const)('any calls of the %s', (name) => {
  const requests = requestsOf(makeDocuments()[name])
  const reached: Reached = new Map()
  let calls = 0

  it(
    'are answered as documented, and change nothing when they are refused',
    async () => {
      const property = fc.asyncProperty(
        settings,
        fc.array(requests, { minLength: 1, maxLength: CALLS_MAX, size: 'max' }),
        async (changed, drawn) => {
          const meeting = await openMeeting(changed)
          for (const request of drawn) await meet(meeting, request, reached)
          calls += drawn.length
          await meeting.door.close()
        },
      )
      // A failure tells its seed and its path; `fc.assert(property, { seed, path })` repeats it.
      await fc.assert(property, {
        numRuns: 1_000_000,
        interruptAfterTimeLimit: SECONDS * 1_000,
        markInterruptAsFailure: false,
      })
      console.log(`${calls} calls of the ${name}`)
      const met = [...reached.values()].filter((statuses) => [...statuses].some(isSuccess))
      // A slow machine may have come too short a way to say.
      if (calls > 500) expect(met.length, tell(reached)).toBeGreaterThan(reached.size / 3)
    },
    (SECONDS + 30) * 1_000,
  )
})

const isSuccess = (status: number) => status < 300

const tell = (reached: Reached) =>
  [...reached].map(([id, statuses]) => `${id}: ${[...statuses].sort().join(' ')}`).join('\n')
