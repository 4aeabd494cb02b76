import type { Task } from './facts.ts'

/** Tasks by due instant, then insertion; any of them can be dropped. */
export interface Schedule {
  readonly size: number
  add(task: Task): void
  drop(task: Task): void
  next(): Task | undefined
  /** The earliest `limit` tasks in order. */
  list(limit: number): Task[]
  all(): Task[]
}

/** A binary heap that remembers where each task sits, so that dropping one costs as little as adding. */
export function createSchedule(tasks: readonly Task[] = []): Schedule {
  const heap: Task[] = []
  const schedule: Schedule = {
    get size() {
      return heap.length
    },
    add(task) {
      heap.push(task)
      rise(heap.length - 1, task)
    },
    drop(task) {
      const { slot } = task
      if (heap[slot] !== task) return
      task.slot = -1
      const moved = heap.pop()
      if (moved === undefined || moved === task) return
      sink(slot, moved)
      rise(moved.slot, moved)
    },
    next: () => heap[0],
    list: (limit) => (limit >= heap.length ? [...heap].sort(inOrder) : earliest(heap, limit)),
    all: () => [...heap].sort(inOrder),
  }
  for (const task of tasks) schedule.add(task)
  return schedule

  function rise(slot: number, task: Task) {
    let at = slot
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = heap[above] as Task
      if (inOrder(parent, task) <= 0) break
      place(at, parent)
      at = above
    }
    place(at, task)
  }

  function sink(slot: number, task: Task) {
    let at = slot
    for (;;) {
      let below = 2 * at + 1
      if (below >= heap.length) break
      const right = below + 1
      if (right < heap.length && inOrder(heap[right] as Task, heap[below] as Task) < 0)
        below = right
      const child = heap[below] as Task
      if (inOrder(child, task) >= 0) break
      place(at, child)
      at = below
    }
    place(at, task)
  }

  function place(slot: number, task: Task) {
    heap[slot] = task
    task.slot = slot
  }
}

const inOrder = (a: Task, b: Task) => a.at - b.at || a.order - b.order

/** Walks the heap from its root, so that showing a few of a million tasks sorts only a few. */
function earliest(heap: readonly Task[], limit: number): Task[] {
  const found: Task[] = []
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
    return heap[slot] as Task
  }
}
