import * as z from 'zod'
import type { CannedResponse } from '../../engine/catcher.ts'
import { fields } from '../problems.ts'

const HEADERS_MAX = 50
const TIMES_MAX = 1_000_000
/** Statuses whose answers have no body. */
const BARE: ReadonlySet<number> = new Set([204, 205, 304])
/** Headers that say how an answer is framed, which the server decides. */
const FRAMING = /^(connection|content-length|keep-alive|te|trailer|transfer-encoding|upgrade)$/i

const HeaderName = () =>
  z
    .string()
    .regex(/^[!#$%&'*+.^_`|~\w-]{1,100}$/, { error: 'is not the name of a header' })
    .refine((name) => !FRAMING.test(name), { error: 'is a header that the server sets' })
const HeaderValue = () =>
  z.string().regex(/^[\t\x20-\x7e\x80-\xff]{0,2000}$/, { error: 'is not the value of a header' })

/** What a catch answers from here on. */
export const SetAnswer = () =>
  fields({
    status: z.int().min(200).max(599),
    /** A text as it is, anything else as JSON. */
    body: z.unknown().optional(),
    headers: z
      .record(HeaderName(), HeaderValue())
      .refine((headers) => Object.keys(headers).length <= HEADERS_MAX, {
        error: `may have at most ${HEADERS_MAX} entries`,
      })
      .optional(),
    times: z.int().min(1).max(TIMES_MAX).optional(),
  }).refine(({ status, body }) => body === undefined || !BARE.has(status), {
    path: ['body'],
    error: 'must be left out with a status that has none (204, 205, 304)',
  })

export function toAnswer(sent: z.output<ReturnType<typeof SetAnswer>>): CannedResponse {
  const { status, body, headers = {}, times = null } = sent
  if (body === undefined) return { status, body: null, headers, times }
  if (typeof body === 'string') return { status, body, headers, times }
  const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  const typed = isTyped ? headers : { ...headers, 'content-type': 'application/json' }
  return { status, body: JSON.stringify(body), headers: typed, times }
}
