import type { Task } from './facts.ts'
import { type Debtor, OWED } from './state.ts'

/** A task with its place in a schedule. */
export interface Scheduled extends Task {
  readonly debtor: Debtor
  /** -1 when it is not scheduled. */
  slot: number
  /** The next task of the same debtor; null for the last. */
  sibling: Scheduled | null
}

export function toScheduled(debtor: Debtor, task: Omit<Task, 'ref'>): Scheduled {
  const { at, order, kind, status, reasons } = task
  return { at, order, kind, ref: debtor.id, status, reasons, debtor, slot: -1, sibling: null }
}

/** Tasks by due instant, then insertion; any of them can be dropped. */
export interface Schedule {
  readonly size: number
  add(task: Scheduled): void
  /** Whether it was there. */
  drop(task: Scheduled): boolean
  next(): Scheduled | undefined
  /** The earliest `limit` tasks in order. */
  list(limit: number): Scheduled[]
  all(): Scheduled[]
}

/** A binary heap that remembers where each task sits, so that dropping one costs as little as adding. */
export function createSchedule(tasks: readonly Scheduled[] = []): Schedule {
  const heap: Scheduled[] = []
  const schedule: Schedule = {
    get size() {
      return heap.length
    },
    add(task) {
      heap.push(task)
      rise(heap.length - 1, task)
      task.sibling = task.debtor[OWED] ?? null
      task.debtor[OWED] = task
    },
    drop(task) {
      const { slot } = task
      if (heap[slot] !== task) return false
      task.slot = -1
      unchain(task)
      const moved = heap.pop()
      if (moved === undefined || moved === task) return true
      sink(slot, moved)
      rise(moved.slot, moved)
      return true
    },
    next: () => heap[0],
    list: (limit) => (limit >= heap.length ? [...heap].sort(inOrder) : earliest(heap, limit)),
    all: () => [...heap].sort(inOrder),
  }
  for (const task of tasks) schedule.add(task)
  return schedule

  function rise(slot: number, task: Scheduled) {
    let at = slot
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = heap[above] as Scheduled
      if (inOrder(parent, task) <= 0) break
      place(at, parent)
      at = above
    }
    place(at, task)
  }

  function sink(slot: number, task: Scheduled) {
    let at = slot
    for (;;) {
      let below = 2 * at + 1
      if (below >= heap.length) break
      const right = below + 1
      if (right < heap.length && inOrder(heap[right] as Task, heap[below] as Scheduled) < 0)
        below = right
      const child = heap[below] as Scheduled
      if (inOrder(child, task) >= 0) break
      place(at, child)
      at = below
    }
    place(at, task)
  }

  function place(slot: number, task: Scheduled) {
    heap[slot] = task
    task.slot = slot
  }
}

/** What is owed for a transaction or a user, the newest first. */
export function tasksOf(debtor: Debtor): Scheduled[] {
  const found: Scheduled[] = []
  for (let task = debtor[OWED] ?? null; task; task = task.sibling) found.push(task)
  return found
}

function unchain(task: Scheduled) {
  const { debtor } = task
  if (debtor[OWED] === task) debtor[OWED] = task.sibling
  for (let before = debtor[OWED] ?? null; before; before = before.sibling) {
    if (before.sibling === task) before.sibling = task.sibling
  }
  task.sibling = null
}

const inOrder = (a: Task, b: Task) => a.at - b.at || a.order - b.order

/** Walks the heap from its root, so that showing a few of a million tasks sorts only a few. */
function earliest(heap: readonly Scheduled[], limit: number): Scheduled[] {
  const found: Scheduled[] = []
  const frontier = heap.length > 0 ? [0] : []
  while (found.length < limit && frontier.length > 0) {
    let best = 0
    for (let i = 1; i < frontier.length; i++) {
      if (inOrder(taskAt(frontier[i]), taskAt(frontier[best])) < 0) best = i
    }
    const [slot = 0] = frontier.splice(best, 1)
    found.push(taskAt(slot))
    for (const child of [2 * slot + 1, 2 * slot + 2]) if (child < heap.length) frontier.push(child)
  }
  return found

  function taskAt(slot = 0) {
    return heap[slot] as Scheduled
  }
}
