import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { NamedPlayRequest, PlayEvent, ScenarioSummary } from '../../control-api/plays.ts'
import { EVENT_STREAM } from '../../control-api/shapes.ts'
import type { Env } from '../operation.ts'
import { HttpError } from '../status.ts'
import { assertMain } from './auth.ts'
import { ownOriginOf } from './context.ts'
import { implement } from './dialect.ts'
import { contains } from './filters.ts'
import { readList } from './page.ts'

export const scenarios = [
  implement('scenarios.list', async ({ c, input: { query } }) => {
    const filters = { q: contains((row: ScenarioSummary) => Object.values(row)) }
    return readList(await c.env.control.plays.list(), { query, filters, present: (row) => row })
  }),
  implement('scenarios.play', async ({ c, services, who, param, header, input: { body } }) => {
    assertMain(who)
    const origin = ownOriginOf(c, services)
    if (origin === undefined) {
      const message = 'A scenario receives webhooks, so the sandbox must listen.'
      throw new HttpError(409, 'socket', message, { code: 'no-socket' })
    }
    const { token, plays } = c.env.control
    const request = {
      name: param('name'),
      origin,
      webhookUrl: body.webhookUrl ?? null,
      controlToken: token ?? null,
      keepWorld: body.keepWorld ?? false,
    }
    const isLive = header('accept')?.includes(EVENT_STREAM)
    return isLive ? playLive(c, request) : (await plays.begin(request)).ended
  }),
]

/** Streams `began` and `passed` of each step, then `ended`. Playing goes on if the reader leaves. */
async function playLive(c: Context<Env>, request: NamedPlayRequest): Promise<Response> {
  // A play begins before its stream does.
  const early: [PlayEvent['kind'], unknown][] = []
  let send = (...event: (typeof early)[number]) => void early.push(event)
  const { ended } = await c.env.control.plays.begin({
    ...request,
    onEvent(event) {
      if (event.kind === 'began') send(event.kind, { title: event.title })
      if (event.kind === 'passed') send(event.kind, event.step)
    },
  })
  return streamSSE(c, async (stream) => {
    const write = (event: string, data: unknown) =>
      stream.writeSSE({ event, data: JSON.stringify(data) })
    for (const event of early) await write(...event)
    send = (...event) => void write(...event)
    await write('ended', await ended)
  })
}
