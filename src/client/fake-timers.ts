import { Script } from 'node:vm'
import { SandboxError } from './error.ts'

/** Node's own: the globals of Jest belong to another realm, and faking them does no harm. */
const queueOfNode = new Script('queueMicrotask')

const MESSAGE =
  "Fake timers hold queueMicrotask, without which Node can read no body. Leave it and nextTick real: sinon.useFakeTimers({ toNotFake: ['nextTick', 'queueMicrotask'] })."

/** Throws while microtasks are faked, because Node would read a body in an endless loop. */
export function assertRealMicrotasks(): void {
  const queue = queueOfNode.runInThisContext() as { clock?: unknown }
  if (queue.clock !== undefined) throw new SandboxError(MESSAGE, { code: 'fake-timers' })
}
