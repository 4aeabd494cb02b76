import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readState } from '../helpers/state.ts'
import { makeDocuments } from '../openapi/documents.ts'
import { type Request, requestsOf } from './request.ts'
import { toWire } from './send.ts'
import { settings } from './settings.ts'
import { type Meeting, openMeeting } from './world.ts'

/** `PROPERTY_SECONDS=600 npx vitest run test/property` looks longer. */
const SECONDS = Number(process.env.PROPERTY_SECONDS ?? 8)
const CALLS_MAX = 80

/** A wrong login code is counted, as the contract's limits on attempts ask for. */
const COUNTED = new Set(['verifyLoginCode', 'v1VerifyLoginCode'])

describe.each(['contract', 'control'] as const)('any calls of the %s', (name) => {
  const requests = requestsOf(makeDocuments()[name])
  const reached = new Map<string, Set<number>>()
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
      expect(met.length, tell(reached)).toBeGreaterThan(reached.size / 3)
    },
    (SECONDS + 30) * 1_000,
  )
})

const isSuccess = (status: number) => status < 300

async function meet(
  { door, names, checkers }: Meeting,
  request: Request,
  reached: Map<string, Set<number>>,
) {
  const { operationId } = request
  const before = await readState(door)
  const [path, init] = toWire(request, names)
  const answer = await door.send(path, init)
  const { status, headers, text } = answer
  const what = `${init.method} ${path} ${String(init.body ?? '')} answered ${status} ${text}`
  expect(status, what).toBeLessThan(500)
  const came = { method: request.method, path, status, type: headers.get('content-type'), text }
  const checker = checkers.find(({ find }) => find(request.method, path))
  expect(checker?.check(came) ?? [], what).toEqual([])
  reached.set(operationId, (reached.get(operationId) ?? new Set()).add(status))
  if (status < 400) return learn(operationId, text, names)
  const after = await readState(door)
  expect(withoutCounts(operationId, after), what).toBe(withoutCounts(operationId, before))
}

function withoutCounts(operationId: string, state: string): string {
  return COUNTED.has(operationId) ? state.replace(/"attempts":\d+/g, '"attempts":0') : state
}

/** What later calls may name. */
function learn(operationId: string, text: string, names: Meeting['names']) {
  if (operationId === 'createQuote') names.quote = JSON.parse(text).data.quoteId
  if (operationId === 'createTransaction') names.tx = JSON.parse(text).data.id
}

const tell = (reached: Map<string, Set<number>>) =>
  [...reached].map(([id, statuses]) => `${id}: ${[...statuses].sort().join(' ')}`).join('\n')
