import type { Task } from './state.ts'

const CHUNK_MAX = 256

/** Tasks by instant, then by insertion. */
export class TaskQueue {
  /** In order, and none of them empty: inserting into one long list would move all that comes later. */
  readonly #chunks: Task[][] = []
  #size = 0
  readonly #byRef = new Map<string, Task[]>()

  get size(): number {
    return this.#size
  }

  add(task: Task): void {
    // A task that comes after all others belongs to the last chunk.
    const index = Math.min(this.#chunkOf(task), this.#chunks.length - 1)
    const chunk = this.#chunks[index]
    if (chunk === undefined) this.#chunks.push([task])
    else {
      insert(task, chunk)
      const isLong = chunk.length > CHUNK_MAX
      if (isLong) this.#chunks.splice(index + 1, 0, chunk.splice(CHUNK_MAX / 2))
    }
    this.#size++
    const tasks = this.#byRef.get(task.ref)
    if (tasks) tasks.push(task)
    else this.#byRef.set(task.ref, [task])
  }

  remove(task: Task): boolean {
    const isNext = this.next() === task
    const index = isNext ? 0 : this.#chunkOf(task)
    const chunk = this.#chunks[index] ?? []
    const place = isNext ? 0 : placeOf(task, chunk)
    if (chunk[place] !== task) return false
    if (place === 0) chunk.shift()
    else chunk.splice(place, 1)
    if (chunk.length === 0) this.#chunks.splice(index, 1)
    this.#size--
    const others = this.of(task.ref).filter((other) => other !== task)
    if (others.length > 0) this.#byRef.set(task.ref, others)
    else this.#byRef.delete(task.ref)
    return true
  }

  of(ref: string): readonly Task[] {
    return this.#byRef.get(ref) ?? []
  }

  next(): Task | undefined {
    return this.#chunks[0]?.[0]
  }

  list(limit: number): Task[] {
    const tasks: Task[] = []
    for (const chunk of this.#chunks) {
      if (tasks.length >= limit) break
      tasks.push(...chunk.slice(0, limit - tasks.length))
    }
    return tasks
  }

  all(): Task[] {
    return this.#chunks.flat()
  }

  [Symbol.iterator](): Iterator<Task> {
    return this.all().values()
  }

  /** Index of the chunk that holds a task, or would. */
  #chunkOf(task: Task): number {
    return countFirst(this.#chunks, (chunk) => isBefore(chunk.at(-1) ?? task, task))
  }
}

function insert(task: Task, chunk: Task[]): void {
  const place = placeOf(task, chunk)
  if (place === chunk.length) chunk.push(task)
  else chunk.splice(place, 0, task)
}

/** Index of a task in a chunk, or where it would be inserted. */
const placeOf = (task: Task, chunk: readonly Task[]): number =>
  countFirst(chunk, (other) => isBefore(other, task))

const isBefore = (one: Task, other: Task): boolean =>
  (one.at - other.at || one.order - other.order) < 0

/** Counts the items that pass a test. They come before all that do not. */
function countFirst<Item>(items: readonly Item[], passes: (item: Item) => boolean): number {
  const last = items.at(-1)
  // Most tasks come last, and a search would read a dozen others.
  if (last === undefined || passes(last)) return items.length
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && passes(item)) low = middle + 1
    else high = middle
  }
  return low
}
