import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import * as z from 'zod'
import { type NamedPlayRequest, type PlayEvent, PlayedHere, ScenarioSummary } from '../plays.ts'
import type { Env } from '../services.ts'
import { HttpError } from '../status.ts'
import { assertMain } from './auth.ts'
import { lever } from './dialect.ts'
import { ListOf, toList } from './page.ts'
import { EVENT_STREAM, ownHostOf } from './shapes.ts'

const PlayScenario = () => ({
  webhookUrl: z.string().optional(),
  keepWorld: z.boolean().optional().describe('Whether its world stays until five later ones do.'),
})

export const scenarios = [
  lever('scenarios.list', 'listScenarios', {
    summary: 'List the scenarios that come with the sandbox',
    about: '`playScenario` plays one.',
    response: () => ListOf(ScenarioSummary()),
    handle: async ({ c }) => toList(await c.env.control.plays.list()),
  }),
  lever('scenarios.play', 'playScenario', {
    summary: 'Play a scenario in a fresh world of its own, and respond with its transcript',
    about:
      'It responds when the scenario has ended, whether it passed or not. With `Accept: text/event-stream` the steps are sent as they are played. This world does not change.',
    success: 'The transcript; `outcome` says whether it passed.',
    body: PlayScenario,
    response: PlayedHere,
    alsoMedia: EVENT_STREAM,
    errors: {
      'host-not-allowed': 'The call is made at a private world.',
      'not-found': 'There is no such scenario.',
      conflict: 'As many scenarios play as may, or the sandbox does not listen by http.',
    },
    async handle({ c, who, param, header, input: { body } }) {
      assertMain(who)
      const { token, plays } = c.env.control
      const request = {
        name: param('name'),
        origin: originOf(c),
        webhookUrl: body.webhookUrl ?? null,
        controlToken: token ?? null,
        keepWorld: body.keepWorld ?? false,
      }
      const isLive = header('accept')?.includes(EVENT_STREAM)
      return isLive ? playLive(c, request) : (await plays.begin(request)).ended
    },
  }),
]

/** Sends `began` and `passed` of each step, and `ended`. It plays on when its reader leaves. */
async function playLive(c: Context<Env>, request: NamedPlayRequest): Promise<Response> {
  let send = (_kind: PlayEvent['kind'], _data: unknown) => {}
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
    send = write
    await write('ended', await ended)
  })
}

/** Finds where this process reaches itself: a caller may have come by another port. */
function originOf(c: Context<Env>): string {
  const socket = c.env.socket?.incoming.socket
  if (socket === undefined) throw unreachable('A scenario talks HTTP, so the sandbox must listen.')
  if (!('encrypted' in socket)) return `http://${ownHostOf(c)}:${socket.localPort}`
  // The thread of a scenario would not trust a certificate that was made here.
  const command = 'Play it with ramp-sandbox play, or start without --tls.'
  throw unreachable(`A scenario talks http, and this sandbox speaks https. ${command}`)
}

const unreachable = (message: string) =>
  new HttpError(409, 'socket', message, { code: 'no-socket' })
