import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createReceiver, type Receiver } from '../../src/client/receiver.ts'
import { openScene } from './scene.ts'

let receiver: Receiver
beforeEach(async () => {
  receiver = await createReceiver()
})
afterEach(() => receiver.close())

const aWhile = async () => {
  for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve))
}

describe('a webhook of a world that is kept on disk', () => {
  it('leaves once its event is on disk, and not before', async () => {
    const writing: (() => void)[] = []
    await using scene = openScene({
      urls: { alpha: receiver.url },
      whenStored: () => new Promise((resolve) => void writing.push(resolve)),
    })
    scene.happen(2)
    await aWhile()
    expect(receiver.received).toEqual([])
    writing[1]?.()
    await aWhile()
    expect(receiver.received).toEqual([])
    writing[0]?.()
    await scene.settled()
    expect(receiver.received).toHaveLength(2)
  })

  it('does not leave when its event cannot be written, and says so', async () => {
    const failures = [new Error('ENOSPC: no space left on device')]
    await using scene = openScene({
      urls: { alpha: receiver.url },
      whenStored: async () => {
        const failure = failures.shift()
        if (failure) throw failure
      },
    })
    scene.happen(2)
    const [lost, kept] = await scene.settled()
    expect(lost).toMatchObject({
      outcome: 'refused',
      sent: null,
      error: expect.stringContaining('no space left'),
    })
    expect(kept?.outcome).toBe('delivered')
    expect(receiver.received).toHaveLength(1)
  })
})
