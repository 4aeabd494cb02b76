import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Live, openLive } from '../control/live.ts'
import { KEY } from '../helpers/app.ts'
import { expectNothingChanged } from '../helpers/state.ts'

const MIB = 1024 * 1024

describe('over a socket', () => {
  let live: Live
  beforeAll(async () => {
    live = await openLive()
  })
  afterAll(() => live[Symbol.asyncDispose]())

  async function post(text: string, isChunked: boolean) {
    const body = isChunked ? new Blob([text]).stream() : text
    const headers = { 'x-api-key': KEY, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
    const response = await fetch(`${live.url}/v2/users`, init)
    const { errors } = (await response.json()) as { errors: { field: string }[] }
    return [response.status, errors[0]?.field]
  }

  const padded = (bytes: number) =>
    '{"email":"nobody","pad":""}'.replace('""}', `"${'x'.repeat(bytes - 27)}"}`)

  it.each([false, true])(
    'a sandbox accepts a body of 1 MiB and not a byte more (chunked: %s)',
    async (chunked) => {
      expect(await post(padded(MIB), chunked)).toEqual([400, 'email'])
      for (const bytes of [MIB + 1, 8 * MIB]) {
        const refused = expectNothingChanged(live.app, () => post(padded(bytes), chunked))
        expect(await refused).toEqual([413, 'body'])
      }
    },
  )

  it('a sandbox hangs up on a caller who has a response and never sends the rest', async () => {
    const socket = connect(Number(new URL(live.url).port), '127.0.0.1').setEncoding('latin1')
    let response = ''
    socket.on('data', (text) => (response += text))
    socket.write('POST /v2/users HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{}')
    await once(socket, 'close')
    expect(response).toMatch(/^HTTP\/1\.1 401 /)
  })
})
