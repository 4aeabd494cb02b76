import * as z from 'zod'
import { readState } from '../../store/read-state.ts'
import { exportState, formatState } from '../../world/state-export.ts'
import { parseBody, readText } from '../input.ts'
import { HttpError } from '../status.ts'
import { control, lever } from './dialect.ts'
import { RESPONSE_MAX } from './page.ts'
import { presentWorldState, WorldState } from './worlds.ts'

/** Longest state that is exported or imported, in bytes. */
const STATE_MAX = 256 * 1024 * 1024
/** How much memory the rows of a state take, for each byte of its text. */
const ROWS_FACTOR = 4

const BODY = { dialect: control, bodyMax: STATE_MAX }
const Document = () => z.looseObject({ formatVersion: z.int() })

/** Whether a long state is on its way, out of this process or into it. */
let isLongUnderWay = false

export const state = [
  lever('state.export', 'exportState', {
    summary: 'Read the whole world as one JSON document',
    about:
      'Secrets are included. Send it to `importState`, of this or another world, to go on from there.',
    success: 'The world as a document.',
    answer: Document,
    handle({ c, services }) {
      const state = formatState(exportState(services.world), STATE_MAX)
      if (state === undefined) throw tooLong()
      const text = Buffer.from(state)
      const headers = { 'content-type': 'application/json', 'content-length': String(text.length) }
      if (text.length > RESPONSE_MAX) c.env.socket?.outgoing.once('close', beginLong())
      return new Response(text, { headers })
    },
  }),
  lever('state.import', 'importState', {
    summary: 'Replace the world by a document that was exported',
    about:
      'It is checked whole before anything changes; `exportState` made it. Streams get a `reset`.',
    success: 'The world after the import.',
    body: Document,
    bodyMax: STATE_MAX,
    answer: WorldState,
    readsBody: true,
    async handle(call) {
      const { c, services, header, record } = call
      const { assertMemory } = c.env.control
      // A stream from outside may be as long as any.
      const length = Number(header('content-length') ?? (c.env.socket ? STATE_MAX : 0))
      const end = length > RESPONSE_MAX ? beginLong() : () => {}
      try {
        const text = await readText(BODY, c)
        // A short one makes room as often as it takes some, so it is let in as a reset is.
        if (text.length > RESPONSE_MAX) assertMemory(ROWS_FACTOR * text.length)
        const sent = parseBody(BODY, { text, type: header('content-type'), record })
        services.importState(await readState(sent))
      } finally {
        end()
      }
      return presentWorldState(services.name, services.world)
    },
  }),
]

/** Long states go one at a time: each takes much memory. The result ends this one. */
function beginLong(): () => void {
  if (isLongUnderWay) {
    throw new HttpError(409, 'state', 'Another long state is being read or written; try again.', {
      code: 'state-busy',
      headers: { 'retry-after': '1' },
    })
  }
  isLongUnderWay = true
  return () => {
    isLongUnderWay = false
  }
}

const tooLong = () =>
  new HttpError(409, 'state', `A state of more than ${STATE_MAX} bytes is not exported.`, {
    code: 'state-too-long',
    hint: 'Start with --data, and move the data file itself.',
  })
