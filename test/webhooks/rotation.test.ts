import { afterEach, beforeEach, expect, it } from 'vitest'
import { createReceiver, type Receiver } from '../../src/client/receiver.ts'
import { verifySignature } from '../../src/webhooks/sign.ts'
import { rotateSigningSecret } from '../../src/world/integrators.ts'
import { openScene, SECRET } from './scene.ts'

let receiver: Receiver
beforeEach(async () => {
  receiver = await createReceiver()
})
afterEach(() => receiver.close())

it('a secret that is rotated during deliveries signs what happens afterwards', async () => {
  await using scene = openScene({ urls: { alpha: receiver.url } })
  const [integrator] = scene.world.integrators
  if (!integrator) throw new Error('no integrator')
  let rotated = () => {}
  const rotation = new Promise<void>((resolve) => (rotated = resolve))
  receiver.respondWith(async () => {
    await rotation
    return 200
  })
  scene.happen(3)
  const next = rotateSigningSecret(scene.world, integrator)
  scene.happen(2)
  rotated()
  const deliveries = await scene.settled()
  const signers = deliveries.map(({ sent }) => {
    const { headers = {}, body = '' } = sent ?? {}
    return [SECRET, next].findIndex((secret) => verifySignature({ secret, headers, body }).ok)
  })
  expect(signers).toEqual([0, 0, 0, 1, 1])
  const [first] = deliveries
  const again = first && (await scene.outbox.resend(first))
  const { headers = {}, body = '' } = again?.sent ?? {}
  expect(verifySignature({ secret: next, headers, body })).toEqual({ ok: true })
})
