import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createReceiver, type Receiver } from '../../src/client/receiver.ts'
import { HOLD_MAX_MS } from '../../src/webhooks/queue.ts'
import type { WebhookEffect } from '../../src/webhooks/webhook-fault.ts'
import { fakeSandboxTimers } from '../helpers/fake-timers.ts'
import { LONG_MS, openScene, type Scene } from '../webhooks/scene.ts'

let receiver: Receiver<{ id: string }>
beforeEach(async () => {
  receiver = await createReceiver()
})
afterEach(() => receiver.close())

/** A scene in which the n-th delivery meets the n-th effect. */
function openFaulty(effects: (WebhookEffect | undefined)[], urls = { alpha: receiver.url }): Scene {
  const left = [...effects]
  return openScene({
    urls,
    faultOf() {
      const effect = left.shift()
      return effect && { id: 'fault_1', effect }
    },
  })
}

/** Which events actual, by their place among those that happened. */
const actual = (scene: Scene, from = receiver) => {
  const ids = scene.world.events.after(0).map(({ id }) => id)
  return from.received.map(({ json }) => ids.indexOf(json.id) + 1)
}
const at = (scene: Scene, ...places: number[]) =>
  places.flatMap((place) => scene.outbox.deliveries.after(0)[place - 1] ?? [])

it('a reordered delivery leaves after the next one for the same destination, and before the one after that', async () => {
  await using scene = openFaulty([{ reorder: true }])
  scene.happen(3)
  await scene.settled()
  expect(actual(scene)).toEqual([2, 1, 3])
})

it('a reordered delivery is held until another one comes, and no call waits for it meanwhile', async () => {
  await using scene = openFaulty([{ reorder: true }])
  scene.happen()
  expect(await scene.outbox.wait(at(scene, 1), LONG_MS)).toBe(1)
  expect(at(scene, 1)).toMatchObject([
    {
      outcome: 'pending',
      sent: null,
      reason: 'fault_1: sent after the next one to the same destination.',
    },
  ])
  scene.happen()
  expect(await scene.outbox.wait(at(scene, 2), LONG_MS)).toBe(0)
  expect(actual(scene)).toEqual([2, 1])
})

it(`a reordered delivery is sent after at most ${HOLD_MAX_MS} ms`, async () => {
  fakeSandboxTimers('setTimeout', 'clearTimeout')
  await using scene = openFaulty([{ reorder: true }])
  scene.happen()
  vi.advanceTimersByTime(HOLD_MAX_MS - 1)
  expect(await scene.outbox.wait(at(scene, 1), LONG_MS)).toBe(1)
  vi.advanceTimersByTime(1)
  vi.useRealTimers()
  expect(await scene.outbox.wait(at(scene, 1), LONG_MS)).toBe(0)
  expect(actual(scene)).toEqual([1])
})

it('a late or reordered delivery does not delay closing', async () => {
  const scene = openFaulty([{ delayMs: 60_000 }, { reorder: true }])
  scene.happen(2)
  const waiting = scene.outbox.drain(LONG_MS)
  await new Promise((resolve) => setImmediate(resolve))
  await scene.outbox.close()
  expect(await waiting).toBe(0)
  expect(at(scene, 1, 2).map(({ outcome }) => outcome)).toEqual(['suppressed', 'suppressed'])
  expect(receiver.received).toEqual([])
})
