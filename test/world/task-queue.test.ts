import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Task } from '../../src/world/state.ts'
import { TaskQueue } from '../../src/world/task-queue.ts'

const newTask = (at: number, order: number): Task => ({
  at,
  order,
  kind: 'expire-transaction',
  ref: `transaction ${order % 7}`,
  status: null,
  reasons: null,
})

const inOrder = (a: Task, b: Task) => a.at - b.at || a.order - b.order

/** Many tasks at few instants, so that some tie, and now and then any of them is removed. */
const changes = fc.array(
  fc.record({
    at: fc.noBias(fc.nat(100)),
    remove: fc.option(fc.noBias(fc.nat(1_000_000)), { freq: 2 }),
  }),
  { maxLength: 200, size: 'max' },
)

describe('a task queue', () => {
  it('keeps its order whatever is added and removed', () => {
    fc.assert(
      fc.property(changes, fc.nat(250), (steps, limit) => {
        const queue = new TaskQueue()
        let model: Task[] = []
        const seen: unknown[] = []
        const expected: unknown[] = []
        for (const [order, { at, remove }] of steps.entries()) {
          const task = newTask(at, order)
          queue.add(task)
          model = [...model, task].sort(inOrder)
          const removed = remove === null ? undefined : model[remove % model.length]
          if (removed) {
            queue.remove(removed)
            model = model.filter((kept) => kept !== removed)
          }
          seen.push(queue.next(), [...queue.of(task.ref)])
          const ofRef = model.filter(({ ref }) => ref === task.ref)
          expected.push(
            model[0],
            ofRef.sort((a, b) => a.order - b.order),
          )
        }
        // Once for all steps, because tens of thousands of expectations take longer than the queue.
        expect(seen).toEqual(expected)
        expect(queue.size).toBe(model.length)
        expect(queue.all()).toEqual(model)
        expect(queue.list(limit)).toEqual(model.slice(0, limit))
        expect(drain(queue)).toEqual(model)
      }),
    )
  })

  it('keeps the order of thousands, added and removed in any order', () => {
    const tasks = Array.from({ length: 3_000 }, (_, i) => newTask((i * 7919) % 1_000, i))
    const queue = toQueue(tasks)
    const ordered = tasks.toSorted(inOrder)
    expect(queue.all()).toEqual(ordered)
    expect([255, 2_999].map((limit) => queue.list(limit))).toEqual(
      [255, 2_999].map((limit) => ordered.slice(0, limit)),
    )
    for (const task of tasks) if (task.order % 3 > 0) queue.remove(task)
    expect(queue.size).toBe(1_000)
    expect(drain(queue)).toEqual(ordered.filter(({ order }) => order % 3 === 0))
  })

  it('ignores the removal of what it does not hold', () => {
    const [kept, removed, stranger] = [newTask(1, 0), newTask(2, 1), newTask(1, 0)]
    const queue = toQueue([kept, removed])
    expect(queue.remove(removed)).toBe(true)
    expect(queue.remove(removed)).toBe(false)
    expect(queue.remove(stranger)).toBe(false)
    expect(queue.all()).toEqual([kept])
  })
})

function toQueue(tasks: readonly Task[]): TaskQueue {
  const queue = new TaskQueue()
  for (const task of tasks) queue.add(task)
  return queue
}

function drain(queue: TaskQueue): Task[] {
  const drained: Task[] = []
  for (let next = queue.next(); next; next = queue.next()) {
    drained.push(next)
    queue.remove(next)
  }
  return drained
}
