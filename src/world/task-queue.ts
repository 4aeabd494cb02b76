import type { Task } from './state.ts'

/** Cancelled tasks that the heap may hold beside as many as are scheduled. */
const CANCELLED_MAX = 1_000

/** Tasks by instant, then by insertion. A cancelled one stays in the heap and is skipped. */
export class TaskQueue {
  #heap: Task[] = []
  readonly #byRef = new Map<string, Task[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  add(task: Task): void {
    push(this.#heap, task, inOrder)
    const tasks = this.#byRef.get(task.ref)
    if (tasks) tasks.push(task)
    else this.#byRef.set(task.ref, [task])
    this.#size++
  }

  /** Returns whether it was there. */
  remove(task: Task): boolean {
    if (!this.#has(task)) return false
    const others = this.of(task.ref).filter((other) => other !== task)
    if (others.length > 0) this.#byRef.set(task.ref, others)
    else this.#byRef.delete(task.ref)
    this.#size--
    // What is sorted is a heap.
    if (this.#heap.length > 2 * this.#size + CANCELLED_MAX) this.#heap = this.all()
    return true
  }

  /** What is scheduled for a transaction or a user, the oldest first. */
  of(ref: string): readonly Task[] {
    return this.#byRef.get(ref) ?? []
  }

  next(): Task | undefined {
    for (;;) {
      const first = this.#heap[0]
      if (first === undefined || this.#has(first)) return first
      pop(this.#heap, inOrder)
    }
  }

  /** The earliest `limit` tasks in order, found without sorting all of them. */
  list(limit: number): Task[] {
    const heap = this.#heap
    const found: Task[] = []
    const slots = heap.length > 0 ? [0] : []
    const bySlot = (a: number, b: number) => inOrder(heap[a] as Task, heap[b] as Task)
    while (found.length < limit) {
      const slot = pop(slots, bySlot)
      if (slot === undefined) break
      const task = heap[slot] as Task
      if (this.#has(task)) found.push(task)
      for (const below of [2 * slot + 1, 2 * slot + 2]) {
        if (below < heap.length) push(slots, below, bySlot)
      }
    }
    return found
  }

  /** Every task once, in no order. */
  *[Symbol.iterator](): Generator<Task> {
    for (const tasks of this.#byRef.values()) yield* tasks
  }

  all(): Task[] {
    return this.#heap.filter((task) => this.#has(task)).sort(inOrder)
  }

  #has(task: Task): boolean {
    return this.of(task.ref).includes(task)
  }
}

const inOrder = (a: Task, b: Task) => a.at - b.at || a.order - b.order

type Compare<Item> = (a: Item, b: Item) => number

/** Adds to a binary heap, an array in which no item comes before the one at half its place. */
function push<Item>(heap: Item[], item: Item, compare: Compare<Item>): void {
  let slot = heap.length
  while (slot > 0) {
    const above = (slot - 1) >> 1
    const parent = heap[above] as Item
    if (compare(parent, item) <= 0) break
    heap[slot] = parent
    slot = above
  }
  heap[slot] = item
}

/** Takes the first item off a binary heap. */
function pop<Item>(heap: Item[], compare: Compare<Item>): Item | undefined {
  const first = heap[0]
  const item = heap.pop()
  if (item === undefined || heap.length === 0) return first
  let slot = 0
  for (;;) {
    const left = 2 * slot + 1
    if (left >= heap.length) break
    const right = left + 1
    const isRight = right < heap.length && compare(heap[right] as Item, heap[left] as Item) < 0
    const below = isRight ? right : left
    if (compare(heap[below] as Item, item) >= 0) break
    heap[slot] = heap[below] as Item
    slot = below
  }
  heap[slot] = item
  return first
}
