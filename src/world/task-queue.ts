import type { Task } from './state.ts'

/** Tasks by instant, then by insertion, in one sorted list. */
export class TaskQueue {
  readonly #tasks: Task[] = []
  readonly #byRef = new Map<string, Task[]>()

  get size(): number {
    return this.#tasks.length
  }

  add(task: Task): void {
    const last = this.#tasks.at(-1)
    // Most tasks come last, and a search would read a dozen others.
    if (last === undefined || isBefore(last, task)) this.#tasks.push(task)
    else this.#tasks.splice(this.#placeOf(task), 0, task)
    const others = this.#byRef.get(task.ref)
    this.#byRef.set(task.ref, others ? [...others, task] : [task])
  }

  remove(task: Task): boolean {
    const place = this.#placeOf(task)
    if (this.#tasks[place] !== task) return false
    if (place === 0) this.#tasks.shift()
    else this.#tasks.splice(place, 1)
    const others = this.of(task.ref).filter((other) => other !== task)
    if (others.length > 0) this.#byRef.set(task.ref, others)
    else this.#byRef.delete(task.ref)
    return true
  }

  of(ref: string): readonly Task[] {
    return this.#byRef.get(ref) ?? []
  }

  next(): Task | undefined {
    return this.#tasks[0]
  }

  list(limit: number): Task[] {
    return this.#tasks.slice(0, limit)
  }

  all(): Task[] {
    return [...this.#tasks]
  }

  [Symbol.iterator](): Iterator<Task> {
    return this.all().values()
  }

  /** Index of a task, or where it would be inserted. */
  #placeOf(task: Task): number {
    let low = 0
    let high = this.#tasks.length
    while (low < high) {
      const middle = (low + high) >> 1
      const other = this.#tasks[middle]
      if (other && isBefore(other, task)) low = middle + 1
      else high = middle
    }
    return low
  }
}

const isBefore = (one: Task, other: Task): boolean =>
  (one.at - other.at || one.order - other.order) < 0
