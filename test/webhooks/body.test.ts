import { expect, it } from 'vitest'
import { createReceiver } from '../../src/client/receiver.ts'
import { findRejection } from '../verifier.ts'
import { openScene, SECRET } from './scene.ts'

it.each([
  ['spaced', 'signature'],
  ['compact', null],
])(
  'a receiver that verifies a re-serialised body is noticed while webhooks.body is %s: %s',
  async (body, rejection) => {
    await using receiver = await createReceiver()
    const settings = { 'webhooks.body': body }
    await using scene = openScene({ urls: { alpha: receiver.url }, settings })
    await scene.deliver()
    const { headers, bytes, json } = await receiver.next()
    expect(findRejection({ headers, bytes }, SECRET)).toBeNull()
    const again = Buffer.from(JSON.stringify(json))
    expect(findRejection({ headers, bytes: again }, SECRET)).toBe(rejection)
  },
)
