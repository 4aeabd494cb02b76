import { createHmac } from 'node:crypto'
import type { SignatureProblem } from './problem.ts'
import type { Candidate } from './secrets.ts'

/** How text and body may have been put together before they were signed. */
const FORMS: readonly {
  join(timestamp: string, body: string): string
  problem?: SignatureProblem
}[] = [
  { join: (timestamp, body) => `${timestamp}.${body}` },
  {
    join: (_, body) => body,
    problem: {
      code: 'signed-body-only',
      message: 'The digest is of the body alone.',
      hint: 'Sign the timestamp, a dot and the body: <timestamp>.<raw body>.',
    },
  },
  {
    join: (timestamp, body) => timestamp + body,
    problem: {
      code: 'signed-without-dot',
      message: 'The digest is of timestamp and body without the dot between them.',
      hint: 'Sign the timestamp, a dot and the body: <timestamp>.<raw body>.',
    },
  },
  {
    join: (timestamp, body) => `${body}.${timestamp}`,
    problem: {
      code: 'signed-backwards',
      message: 'The digest is of the body, a dot and the timestamp.',
      hint: 'Sign them the other way round: <timestamp>.<raw body>.',
    },
  },
]

/** What may have been signed, the likeliest of each first. */
export interface Space {
  timestamps: readonly string[]
  bodies: readonly string[]
  candidates: readonly Candidate[]
}

/** What was signed after all. */
export interface Found {
  timestamp: string
  body: string
  problems: SignatureProblem[]
}

/** Finds what a digest is of; at most two things may be other than they should be. */
export function findSigned(digest: string, { timestamps, bodies, candidates }: Space) {
  const sizes = [timestamps.length, bodies.length, candidates.length, FORMS.length]
  for (const [t, b, c, f] of nearFirst(sizes)) {
    const [timestamp, body, candidate, form] = [timestamps[t], bodies[b], candidates[c], FORMS[f]]
    if (timestamp === undefined || body === undefined || !candidate || !form) continue
    if (digestOf(candidate.key, form.join(timestamp, body)) !== digest) continue
    const problems = [form.problem, candidate.problem].filter((problem) => problem !== undefined)
    return { timestamp, body, problems } satisfies Found
  }
  return undefined
}

const digestOf = (key: string | Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest('hex')

type Place = [t: number, b: number, c: number, f: number]

/** Every place with at most two coordinates off zero, those with fewer first. */
function nearFirst(sizes: readonly number[]): Place[] {
  const origin: Place = [0, 0, 0, 0]
  const steps = sizes.flatMap((size, axis) =>
    Array.from({ length: Math.max(0, size - 1) }, (_, step) => ({ axis, at: step + 1 })),
  )
  const single = steps.map(({ axis, at }) => origin.with(axis, at) as Place)
  const pairs = steps.flatMap((first) =>
    steps
      .filter(({ axis }) => axis > first.axis)
      .map(({ axis, at }) => origin.with(first.axis, first.at).with(axis, at) as Place),
  )
  return [origin, ...single, ...pairs]
}
