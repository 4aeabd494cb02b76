import { control, pathTo } from './api.ts'
import { hasFollowed, tick } from './follow.ts'
import { enqueue } from './queue.ts'
import { forgetSession, isKnown } from './session.ts'
import { change, state } from './store.ts'
import { startNew } from './stories.ts'

const TICK_MS = 1_000
const LOOK_MS = 2_000
const KINDS = ['delivery', 'message', 'clock']

/** Follows what the inspector, the clock or another program does. */
export function listenToWorld(): void {
  const source = new EventSource(pathTo(`/events/stream?only=${KINDS.join(',')},reset`))
  for (const kind of KINDS) source.addEventListener(kind, catchUp)
  // The stream begins where it opens, so it does not tell what happened since the page was loaded.
  source.onopen = catchUp
  source.addEventListener('reset', startAgain)
  source.onerror = () => change({ isGone: true })
  setInterval(tick, TICK_MS)
  setInterval(() => state.isGone && void comeBack(), LOOK_MS)
}

function startAgain(): void {
  forgetSession()
  location.reload()
}

let isWaiting = false
let heardAt = 0

function catchUp(): void {
  heardAt = performance.now()
  if (isWaiting) return
  isWaiting = true
  const isDue = () => {
    isWaiting = false
    // What this page did itself it has followed already.
    return !hasFollowed(heardAt)
  }
  void enqueue({ kind: 'outside', title: 'Elsewhere', run: () => {}, isDue, isQuiet: true })
}

let isProbing = false

/** Asks whether the sandbox is back; it may be another one, without this customer. */
async function comeBack(): Promise<void> {
  if (isProbing) return
  isProbing = true
  try {
    await control<'health'>('GET', '/health')
    const title = 'The sandbox was started again'
    if (!(await isKnown(state))) await enqueue({ kind: 'outside', title, run: startNew })
    change({ isGone: false, problem: '' })
    catchUp()
  } catch {
    // The timer asks again.
  } finally {
    isProbing = false
  }
}
