import { SandboxError } from '../../client/error.ts'
import { followUp } from './follow.ts'
import { sendCode } from './onboarding.ts'
import { toProblem } from './problems.ts'
import { claim, isOwner, save } from './session.ts'
import { change, openCause, state, type WireGroup } from './store.ts'

let last: Promise<void> = Promise.resolve()
let waiting = 0
let busy = 0

interface Work {
  kind: WireGroup['kind'] | 'elsewhere'
  title: string
  run: () => Promise<void> | void
  /** Nobody waits for it: the buttons stay as they are. */
  isQuiet?: boolean
}

/**
 * Runs one thing after another, each with all that it leads to, so that the rows are in the order
 * of cause and the same in each run.
 */
export function enqueue({ kind, title, run, isQuiet = false }: Work): Promise<void> {
  const weight = isQuiet ? 0 : 1
  waiting++
  busy += weight
  change({ isBusy: busy > 0 })
  last = last.then(async () => {
    if (kind !== 'elsewhere') await claim().catch(() => null)
    openCause(kind === 'elsewhere' ? 'outside' : kind, title)
    await settle(async () => run())
    await settle(followUp)
    if (isOwner()) await save().catch(() => null)
    waiting--
    busy -= weight
    change({ isBusy: busy > 0 })
  })
  return last
}

/** The user taps something; ignored while the tap before it is at work. */
export async function tap(what: string, work: () => Promise<void> | void): Promise<void> {
  if (state.isBusy) return
  change({ problem: '', problemField: '', notice: '' })
  await enqueue({ kind: 'tap', title: `${state.name || 'The user'} ${what}`, run: work })
}

/** Something that neither the user nor the server does. */
export function outside(title: string, run: () => Promise<void>): Promise<void> {
  change({ problem: '', notice: '' })
  return enqueue({ kind: 'outside', title, run })
}

/** Resolves when nothing is at work any more. */
export async function idle(): Promise<void> {
  while (waiting > 0) await last
}

async function settle(work: () => Promise<void>) {
  try {
    await work()
  } catch (error) {
    const { problem, field } = toProblem(error)
    change({ problem, problemField: field, isGone: isGone(error) })
    if (problem === 'problemSession') await settle(sendCode)
    if (problem === 'problemSession') change({ problem })
  }
}

const isGone = (error: unknown) => error instanceof SandboxError && error.code === 'unreachable'
