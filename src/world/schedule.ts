import type { Task } from './facts.ts'

/** A task with its place in a schedule. */
export interface Scheduled extends Task {
  /** -1 when it is not scheduled. */
  slot: number
  /** The next task for the same `ref`; null for the last. */
  sibling: Scheduled | null
}

export const toScheduled = ({ at, order, kind, ref, status, reasons }: Task): Scheduled => {
  return { at, order, kind, ref, status, reasons, slot: -1, sibling: null }
}

/** Tasks by due instant, then insertion; any of them can be dropped. */
export interface Schedule {
  readonly size: number
  add(task: Scheduled): void
  /** Whether it was there. */
  drop(task: Scheduled): boolean
  next(): Scheduled | undefined
  /** What is owed for a transaction or a user, the newest first. */
  of(ref: string): Scheduled[]
  /** The earliest `limit` tasks in order. */
  list(limit: number): Scheduled[]
  all(): Scheduled[]
}

/** A binary heap that remembers where each task sits, so that dropping one costs as little as adding. */
export function createSchedule(tasks: readonly Scheduled[] = []): Schedule {
  const heap: Scheduled[] = []
  const newest = new Map<string, Scheduled>()
  const schedule: Schedule = {
    get size() {
      return heap.length
    },
    add(task) {
      heap.push(task)
      rise(heap.length - 1, task)
      task.sibling = newest.get(task.ref) ?? null
      newest.set(task.ref, task)
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
    of(ref) {
      const found: Scheduled[] = []
      for (let task = newest.get(ref) ?? null; task; task = task.sibling) found.push(task)
      return found
    },
    list: (limit) => (limit >= heap.length ? [...heap].sort(inOrder) : earliest(heap, limit)),
    all: () => [...heap].sort(inOrder),
  }
  for (const task of tasks) schedule.add(task)
  return schedule

  function unchain(task: Scheduled) {
    const first = newest.get(task.ref) ?? null
    if (first === task) {
      if (task.sibling) newest.set(task.ref, task.sibling)
      else newest.delete(task.ref)
    }
    for (let before = first; before; before = before.sibling) {
      if (before.sibling === task) before.sibling = task.sibling
    }
    task.sibling = null
  }

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
