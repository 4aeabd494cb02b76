import { Script } from 'node:vm'
import { SandboxError } from './error.ts'

/** Node's own: those of Jest belong to another realm, and faking them does no harm. */
const ofNode = new Script('[queueMicrotask, process.nextTick]')

/** Throws while microtasks are faked, because Node would read a body in an endless loop. */
export function assertRealMicrotasks(): void {
  const [queueMicrotask] = readNode()
  if (isFake(queueMicrotask)) throw refusal('queueMicrotask', 'Node cannot read a body')
}

/** Throws while ticks are faked, because no server of Node would ever open or close. */
export function assertRealTicks(): void {
  const [, nextTick] = readNode()
  if (isFake(nextTick)) throw refusal('nextTick', 'no server can start or stop')
}

const readNode = () => ofNode.runInThisContext() as [Fakeable, Fakeable]

/** Fake timers have the clock that moves them. */
type Fakeable = { clock?: unknown }
const isFake = ({ clock }: Fakeable) => clock !== undefined

function refusal(name: string, harm: string): SandboxError {
  const advice =
    "Leave nextTick and queueMicrotask real: sinon.useFakeTimers({ toNotFake: ['nextTick', 'queueMicrotask'] })."
  const message = `Fake timers replace ${name}, so ${harm}. ${advice}`
  return new SandboxError(message, { code: 'fake-timers' })
}
