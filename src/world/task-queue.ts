import type { Task } from './state.ts'

/** Finished tasks stay in the list until there are this many, and more than unfinished ones. */
const DONE_MIN = 1_000

/** Tasks by instant, then by insertion. */
export class TaskQueue {
  /** In order; tasks before `#first` are finished. */
  #tasks: Task[] = []
  #first = 0
  readonly #byRef = new Map<string, Task[]>()

  get size(): number {
    return this.#tasks.length - this.#first
  }

  add(task: Task): void {
    const last = this.#tasks.at(-1)
    // Most tasks come last, and a search would read a dozen others.
    if (last === undefined || isBefore(last, task)) this.#tasks.push(task)
    else this.#tasks.splice(this.#placeOf(task), 0, task)
    const tasks = this.#byRef.get(task.ref)
    if (tasks) tasks.push(task)
    else this.#byRef.set(task.ref, [task])
  }

  remove(task: Task): boolean {
    const place = this.next() === task ? this.#first : this.#placeOf(task)
    if (this.#tasks[place] !== task) return false
    if (place > this.#first) this.#tasks.splice(place, 1)
    else if (++this.#first > DONE_MIN && this.#first > this.size) {
      this.#tasks = this.all()
      this.#first = 0
    }
    const others = this.of(task.ref).filter((other) => other !== task)
    if (others.length > 0) this.#byRef.set(task.ref, others)
    else this.#byRef.delete(task.ref)
    return true
  }

  of(ref: string): readonly Task[] {
    return this.#byRef.get(ref) ?? []
  }

  next(): Task | undefined {
    return this.#tasks[this.#first]
  }

  list(limit: number): Task[] {
    return this.#tasks.slice(this.#first, this.#first + limit)
  }

  all(): Task[] {
    return this.list(this.#tasks.length)
  }

  [Symbol.iterator](): Iterator<Task> {
    return this.all().values()
  }

  /** Position of a task, or where it would be inserted. */
  #placeOf(task: Task): number {
    let low = this.#first
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
