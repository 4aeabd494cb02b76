import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import {
  NotJudged,
  runVariations,
  type Subject,
  type Variation,
} from '../../src/variations/loop.ts'
import {
  createReport,
  formatReport,
  toExitCode,
  toReportJson,
} from '../../src/variations/report.ts'
import { isFullDepth } from '../helpers/depth.ts'

/** How the runs of each variation end, one after another; the last one again and again. */
type Ends = Readonly<Record<string, readonly string[]>>

const SAME = 'unchanged'

function createSubject(ends: Ends): Subject<Variation, string> {
  const runs = new Map<string, number>()
  return {
    async run(variation) {
      const id = variation?.id ?? SAME
      const nth = runs.get(id) ?? 0
      runs.set(id, nth + 1)
      return ends[id]?.[nth] ?? ends[id]?.at(-1) ?? 'right'
    },
    judge(run, variation, baseline) {
      if (run === baseline) return { kind: 'held' }
      if (run === 'unknown') return { kind: 'unclear', why: 'nobody knows' }
      const sentence = `It ends as ${run} instead of ${baseline}.`
      return { kind: 'failed', failure: { sentence, lines: [], cause: variation?.kind ?? '' } }
    },
    list: () =>
      Object.keys(ends).flatMap((id) => {
        return id === SAME ? [] : [{ id, kind: id.slice(0, 1), words: `${id} happens` }]
      }),
  }
}

async function reportOf(ends: Ends, options: Parameters<typeof runVariations>[1] = {}) {
  const report = createReport(await runVariations(createSubject(ends), options), { title: 'A run' })
  return { report, exitCode: toExitCode(report), text: formatReport(report, (id) => `again ${id}`) }
}

it('the loop finds nothing if every variation ends like the baseline, and exits with 0', async () => {
  const { report, exitCode, text } = await reportOf({ a1: ['right'], a2: ['right'] })
  expect(exitCode).toBe(0)
  expect(report).toMatchObject({ findings: [], runs: 4, held: [{ kind: 'a', held: 2, of: 2 }] })
  expect(text).toContain('Passed: a 2 of 2\n2 variations in 4 runs, 0 findings')
})

it('the loop counts a single run in the singular', async () => {
  const { report } = await reportOf({ a1: ['right'] })
  expect(formatReport({ ...report, runs: 1 }, String)).toMatch(/ in 1 run, 0 findings$/)
})

it('the loop makes one finding of failures with one cause, each of which was seen twice', async () => {
  const { report, exitCode, text } = await reportOf({ a1: ['wrong'], a2: ['wrong'], b1: ['right'] })
  expect(exitCode).toBe(2)
  // Two unchanged runs, two of each failure and an unchanged one after it, and the one that holds.
  expect(report.runs).toBe(2 + 2 * 3 + 1)
  expect(report.findings).toMatchObject([{ id: 'a1', also: [{ id: 'a2' }] }])
  expect(toReportJson(report, (id) => `again ${id}`)).toMatchObject({
    exitCode: 2,
    findings: [{ again: 'again a1' }],
  })
  expect(text).toContain('1. It ends as wrong instead of right.\n   Also when a2 happens.')
})

it('the loop exits with 1 if a failure does not repeat', async () => {
  const { report, exitCode } = await reportOf({ a1: ['wrong', 'right'] })
  expect(exitCode).toBe(1)
  expect(report.unclear).toMatchObject([{ id: 'a1' }])
})

it('the loop tries a failure as often as it is told to', async () => {
  const ends = { a1: ['wrong', 'right', 'wrong'] }
  expect((await reportOf(ends, { repeatsMax: 2 })).exitCode).toBe(2)
})

it('the loop has no verdict if two unchanged runs differ', async () => {
  const { report, exitCode } = await reportOf({ [SAME]: ['right', 'other'], a1: ['right'] })
  expect(exitCode).toBe(1)
  expect(report.problem).toBe('Two unchanged runs differ: It ends as other instead of right.')
})

it('the loop has no verdict if the baseline no longer holds after a failure', async () => {
  const ends = { [SAME]: ['right', 'right', 'other'], a1: ['wrong'], b1: ['right'] }
  const { report, exitCode } = await reportOf(ends)
  expect(exitCode).toBe(1)
  expect(report.problem).toContain('An unchanged run no longer ends as the first one did')
  expect(report).toMatchObject({ findings: [], leftOut: 2 })
})

it('the loop has no verdict if a difference would not show', async () => {
  const subject = createSubject({ a1: ['wrong'] })
  const list = () => {
    throw new NotJudged('The state never changes.')
  }
  const outcome = await runVariations({ ...subject, list })
  expect(outcome).toMatchObject({ problem: 'The state never changes.', runs: 1 })
})

it('the loop reports what it has found when it is stopped', async () => {
  const stopping = new AbortController()
  const { report, exitCode } = await reportOf(
    { a1: ['wrong'], b1: ['right'], c1: ['wrong'] },
    {
      signal: stopping.signal,
      onResult: ({ variation }) => variation.id === 'b1' && stopping.abort(),
    },
  )
  expect(report).toMatchObject({ isStopped: true, leftOut: 1, findings: [{ id: 'a1' }] })
  expect(exitCode).toBe(2)
})

it('the loop accepts the failure of a variation that the user ignores', async () => {
  const outcome = await runVariations(createSubject({ a1: ['wrong'] }))
  const report = createReport(outcome, { title: 'A run', ignored: ['a1'] })
  expect(report).toMatchObject({ findings: [], ignored: [{ id: 'a1' }] })
  expect(toExitCode(report)).toBe(0)
})

it('the loop tries every variation once when several run at once', async () => {
  const { report } = await reportOf({ a1: ['right'], a2: ['wrong'], b1: ['right'] }, { jobs: 2 })
  expect(report.held).toEqual([
    { kind: 'a', held: 1, of: 2 },
    { kind: 'b', held: 1, of: 1 },
  ])
})

// The baseline must take so long that the limit of other runs depends on it.
it.runIf(isFullDepth)(
  'the loop allows a run five times as long as a long baseline',
  { timeout: 30_000 },
  async () => {
    const subject = createSubject({ a1: ['right'] })
    const run: typeof subject.run = async (variation, options) => {
      if (options.baseline === undefined) await pause(12_100)
      return await subject.run(variation, options)
    }
    const outcome = await runVariations({ ...subject, run })
    expect(outcome).toMatchObject({ problem: null, runs: 3, leftOut: 0 })
  },
)
