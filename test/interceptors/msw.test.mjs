import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpResponse, http, passthrough } from 'msw'
import { setupServer } from 'msw/node'
import { FORMS, startSandbox } from './story.mjs'

const THIS_MACHINE = http.all(/^http:\/\/127\.0\.0\.1:/, () => passthrough())
const MODES = [
  ['its default mode', {}, []],
  ['bypass', { onUnhandledRequest: 'bypass' }, []],
  ['error, with a passthrough for this machine', { onUnhandledRequest: 'error' }, [THIS_MACHINE]],
]

for (const [form, library] of Object.entries(FORMS)) {
  for (const [mode, options, handlers] of MODES) {
    test(`webhooks of ${form} arrive beside MSW in ${mode}`, async () => {
      const server = setupServer(...handlers)
      server.listen(options)
      const receiver = await library.createReceiver()
      const sandbox = await startSandbox(library, receiver.url)
      try {
        const first = await sandbox.deliver('in-review')
        const second = await sandbox.deliver('verified')
        assert.deepEqual([first.outcome, second.outcome], ['delivered', 'delivered'])
        assert.equal(receiver.received.length, 2)
        const { headers, bytes: body } = receiver.received[1]
        const { secret } = sandbox
        assert.deepEqual(library.verifySignature({ secret, headers, body }), { ok: true })
      } finally {
        server.close()
        await sandbox[Symbol.asyncDispose]()
        await receiver.close()
      }
    })
  }

  test(`a handler of MSW receives what ${form} sends to its host`, async () => {
    const received = []
    const server = setupServer(
      http.post('https://hooks.example.com/ramp', async ({ request }) => {
        received.push(await request.json())
        return HttpResponse.json({}, { status: 202 })
      }),
    )
    server.listen()
    const sandbox = await startSandbox(library, 'https://hooks.example.com/ramp')
    try {
      const delivery = await sandbox.deliver()
      assert.deepEqual([delivery.outcome, delivery.response.status], ['delivered', 202])
      assert.equal(received[0].payload.status, 'in-review')
    } finally {
      server.close()
      await sandbox[Symbol.asyncDispose]()
    }
  })
}
