import type { Listed } from '../scenario/play.ts'
import type { JunitCase } from './junit.ts'

/** Ends the play from which an error escapes: a rejection that nobody awaits, or one thrown in a timer. */
export class Escapes {
  /** Errors that came after their scenario had ended. */
  readonly late: (JunitCase & { message: string })[] = []
  readonly #plays: (Listed & { ending: AbortController })[] = []

  start(): void {
    process.on('uncaughtException', this.#end)
  }

  /** Watches the play that begins; errors of unknown origin are taken for its own. */
  watch(listed: Listed): AbortSignal {
    const ending = new AbortController()
    this.#plays.push({ ...listed, ending })
    return ending.signal
  }

  stop(): void {
    process.off('uncaughtException', this.#end)
  }

  readonly #end = (error: unknown) => {
    const stack = error instanceof Error ? error.stack : undefined
    const present = this.#plays.at(-1)
    const play = this.#plays.findLast(({ file }) => stack?.includes(file)) ?? present
    if (play === undefined || play === present) return play?.ending.abort(error)
    const message = `An error escaped from ${play.name} after it had ended: ${error}`
    this.late.push({ name: play.name, result: 'error', message })
  }
}
