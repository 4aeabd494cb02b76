import { describe, expect, it } from 'vitest'
import {
  createSchedule,
  type Schedule,
  type Scheduled,
  toScheduled,
} from '../../src/world/schedule.ts'
import fc from '../helpers/fast-check.ts'

const owe = (at: number, order: number): Scheduled =>
  toScheduled(
    { id: `${order}` },
    { at, order, kind: 'expire-transaction', status: null, reasons: null },
  )

const byDue = (a: Scheduled, b: Scheduled) => a.at - b.at || a.order - b.order

/** Many tasks on few instants, so that some tie, and a drop of any of them now and then. */
const changes = fc.array(
  fc.record({
    at: fc.noBias(fc.nat(100)),
    drop: fc.option(fc.noBias(fc.nat(1_000_000)), { freq: 2 }),
  }),
  { maxLength: 200, size: 'max' },
)

describe('a schedule', () => {
  it('gives tasks by due instant, and in turn where those tie', () => {
    const tasks = [30, 10, 20, 10, 30, 10].map(owe)
    const schedule = createSchedule(tasks)
    expect(drain(schedule).map(({ order }) => order)).toEqual([1, 3, 5, 2, 0, 4])
    expect(schedule.size).toBe(0)
  })

  it('keeps its order whatever is added and dropped, and in whatever turn', () => {
    fc.assert(
      fc.property(changes, fc.nat(250), (steps, limit) => {
        const schedule = createSchedule()
        let model: Scheduled[] = []
        for (const [order, { at, drop }] of steps.entries()) {
          const task = owe(at, order)
          schedule.add(task)
          model = [...model, task].sort(byDue)
          const dropped = drop === null ? undefined : model[drop % model.length]
          if (dropped) {
            schedule.drop(dropped)
            model = model.filter((kept) => kept !== dropped)
          }
          expect(schedule.next()).toBe(model[0])
        }
        expect(schedule.size).toBe(model.length)
        expect(schedule.all()).toEqual(model)
        expect(schedule.list(limit)).toEqual(model.slice(0, limit))
        expect(drain(schedule)).toEqual(model)
      }),
    )
  })

  it('takes no notice of a drop of what it does not hold', () => {
    const [mine, dropped, stranger] = [owe(1, 0), owe(2, 1), { ...owe(1, 0), slot: 0 }]
    const schedule = createSchedule([mine, dropped])
    schedule.drop(dropped)
    schedule.drop(dropped)
    schedule.drop(stranger)
    expect(schedule.all()).toEqual([mine])
  })

  it('drops from the middle of very many', () => {
    const tasks = Array.from({ length: 20_000 }, (_, order) => owe((order * 7919) % 1_000, order))
    const schedule = createSchedule(tasks)
    for (const task of tasks) if (task.order % 100 !== 0) schedule.drop(task)
    expect(schedule.all()).toEqual(tasks.filter(({ order }) => order % 100 === 0).sort(byDue))
  })
})

function drain(schedule: Schedule): Scheduled[] {
  const drained: Scheduled[] = []
  for (let next = schedule.next(); next; next = schedule.next()) {
    drained.push(next)
    schedule.drop(next)
  }
  return drained
}
