import { pathTo } from './api.ts'
import { noteReport, tick } from './follow.ts'
import { enqueue } from './queue.ts'
import { forgetSession, hasCustomer } from './session.ts'
import { change, state } from './store.ts'

const TICK_MS = 1_000
const LOOK_MS = 2_000
const KINDS = ['delivery', 'message', 'clock']

/** Follows what the inspector, the clock or a phone does in the world. */
export function listenToWorld(): void {
  connect()
  setInterval(tick, TICK_MS)
  setInterval(() => state.isGone && void comeBack(), LOOK_MS)
}

let source: EventSource

function connect(): void {
  source = new EventSource(pathTo(`/events/stream?only=${KINDS.join(',')},reset`))
  for (const kind of KINDS) source.addEventListener(kind, catchUp)
  // The stream begins where it opens, so it does not tell what happened since the page was loaded.
  source.onopen = catchUp
  source.addEventListener('reset', startAgain)
  source.onerror = () => change({ isGone: true })
}

/** Begins with another world. */
function startAgain(): void {
  forgetSession()
  location.reload()
}

let isWaiting = false

function catchUp(): void {
  noteReport()
  if (isWaiting) return
  isWaiting = true
  const run = () => {
    isWaiting = false
  }
  void enqueue({ kind: 'outside', title: 'Elsewhere', run, isQuiet: true })
}

let isProbing = false

/** Asks whether the sandbox is back; after a restart it no longer has this world. */
async function comeBack(): Promise<void> {
  if (isProbing) return
  isProbing = true
  try {
    if (!(await hasCustomer())) return startAgain()
    change({ isGone: false, problem: '' })
    if (source.readyState === EventSource.CLOSED) connect()
    catchUp()
  } catch {
    // The timer asks again.
  } finally {
    isProbing = false
  }
}
