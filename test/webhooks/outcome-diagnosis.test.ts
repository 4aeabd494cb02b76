import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createReceiver, type Receiver } from '../../src/client/receiver.ts'
import { diagnoseOutcome } from '../../src/webhooks/outcome-diagnosis.ts'
import { rotateSigningSecret } from '../../src/world/integrators.ts'
import { openScene, type Scene, type SceneOptions } from './scene.ts'
import { findFreePort, openRawServer } from './servers.ts'

let receiver: Receiver

beforeEach(async () => {
  receiver = await createReceiver()
})

afterEach(() => receiver.close())

/** What is said of one delivery to a URL. */
async function diagnose(
  url: string | null,
  { after, ...options }: SceneOptions & { after?: (scene: Scene) => unknown } = {},
) {
  await using scene = openScene({ urls: { alpha: url }, ...options })
  const delivery = await scene.deliver()
  after?.(scene)
  return diagnoseOutcome(scene.world, delivery)
}

describe('the diagnosis of a delivery', () => {
  it.each([
    [301, /Redirects/],
    [400, /signature is right/],
    [401, /re-serialised body differs.*webhooks\.body=compact/],
    [403, /re-serialised body differs.*webhooks\.body=compact/],
    [500, /look at its log/],
  ])('says what a response of %i means', async (status, hint) => {
    receiver.respondWith(status)
    const problem = await diagnose(receiver.url)
    expect(problem?.message).toContain(String(status))
    expect(problem?.hint).toMatch(hint)
  })

  it.each([401, 403])(
    'says nothing about spaces to a response of %i where there are none, or where more is known',
    async (status) => {
      receiver.respondWith(status)
      const settings = { 'webhooks.body': 'compact' }
      expect((await diagnose(receiver.url, { settings }))?.hint).toMatch(/signature is right/)
      const body = '<h1>Forbidden</h1><p>CSRF verification failed. Request aborted.</p>'
      receiver.respondWith({ status, body })
      expect((await diagnose(receiver.url))?.hint).toContain('is about CSRF')
    },
  )

  it.each(['Invalid signature', '{"error":"HMAC mismatch"}'])(
    'is about the bytes where a response of 400 says so: %s',
    async (body) => {
      receiver.respondWith({ status: 400, body })
      expect((await diagnose(receiver.url))?.hint).toMatch(/re-serialised body differs/)
    },
  )

  it('does not call the signature of an unsigned webhook right', async () => {
    receiver.respondWith(401)
    const problem = await diagnose(receiver.url, { secret: null })
    expect(problem?.hint).toContain('Unsigned')
  })

  it('finds the secret that a receiver with the new one misses', async () => {
    receiver.respondWith(401)
    const problem = await diagnose(receiver.url, {
      after: ({ world, integrator }) => rotateSigningSecret(world, integrator),
    })
    expect(problem?.message).toMatch(/401.*secret/)
    expect(problem?.hint).not.toContain('re-serialised')
  })

  it('says that nothing listens, that a response took too long, or that there is no URL', async () => {
    const refused = await diagnose(`http://127.0.0.1:${await findFreePort()}`)
    expect(refused?.hint).toContain('Nothing listens')
    await using silent = await openRawServer(() => undefined)
    const late = await diagnose(silent.url, { settings: { 'webhooks.timeout': 50 } })
    expect(late?.hint).toContain('Respond with a 2xx status first')
    expect((await diagnose(null))?.hint).toBe('Set what is missing, then resend it.')
  })

  it('has nothing to say of one that arrived', async () => {
    expect(await diagnose(receiver.url)).toBeUndefined()
  })
})
