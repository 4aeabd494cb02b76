import * as z from 'zod'
import { parseJson } from '../../client/http.ts'
import { findOperation } from '../operations.ts'
import { BrokenRecording } from '../recording.ts'
import type { SessionRecorder } from './recorder.ts'

/** Records the calls of the contract that a HAR file holds, and says how many there were. */
export function recordHar(text: string, recorder: SessionRecorder): number {
  const { data } = Har().safeParse(parseJson(text))
  if (data === undefined) throw new BrokenRecording('It is not a HAR file.')
  let count = 0
  for (const { startedDateTime, time, request, response } of data.log.entries) {
    // A page loads much else, so only what the contract has is taken.
    const target = findTarget(request.method, request.url)
    if (target === undefined) continue
    const { status, headers, content } = response
    const body = content.encoding === 'base64' ? Buffer.from(content.text, 'base64') : content.text
    const hasResponse = status > 0
    recorder.call(recorder.begin(), startedDateTime.getTime(), {
      method: request.method,
      target,
      request: { headers: request.headers, body: request.postData?.text ?? '' },
      response: hasResponse ? { status, headers, body: String(body) } : null,
      failure: hasResponse ? undefined : 'No response came.',
      ms: time,
    })
    count++
  }
  return count
}

/** The path from where the contract knows it: what is before is the base URL. */
function findTarget(method: string, url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { pathname, search } = new URL(url)
  const parts = pathname.split('/')
  const paths = parts.map((_, index) => `/${parts.slice(index).join('/')}`).slice(1)
  const path = paths.find((each) => findOperation(method, each))
  return path && path + search
}

const Headers = () =>
  z
    .array(z.object({ name: z.string(), value: z.string() }))
    .transform((all) =>
      Object.fromEntries(all.map(({ name, value }) => [name.toLowerCase(), value])),
    )

/** The part of the format that a recording needs. */
const Har = () =>
  z.object({
    log: z.object({
      entries: z.array(
        z.object({
          startedDateTime: z.coerce.date(),
          time: z.number(),
          request: z.object({
            method: z.string(),
            url: z.string(),
            headers: Headers(),
            postData: z.object({ text: z.string().optional() }).optional(),
          }),
          response: z.object({
            status: z.number(),
            headers: Headers(),
            content: z.object({ text: z.string().default(''), encoding: z.string().optional() }),
          }),
        }),
      ),
    }),
  })
