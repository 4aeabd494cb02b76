import { pathTo, readControl } from './api.ts'
import { hasChain } from './chain.ts'
import { tick } from './follow.ts'
import { takeReset } from './presenter.ts'
import { enqueue } from './queue.ts'
import { follow, followOthers, resumeSession } from './session.ts'
import { change, state } from './store.ts'
import { startNew } from './stories.ts'
import { isReadingBalances, readBalances } from './trading.ts'

const TICK_MS = 1_000
const PROBE_MS = 2_000
const LOOK_MS = 2_000
const KINDS = ['delivery', 'message', 'clock']
let isWaiting = false
let isProbing = false

/** Follows what happens elsewhere: in the inspector, by the clock, by another program. */
export function listenToWorld(): void {
  const source = new EventSource(pathTo(`/events/stream?only=${KINDS.join(',')},reset`))
  for (const kind of KINDS) source.addEventListener(kind, catchUp)
  source.addEventListener('reset', () => takeReset() || location.reload())
  source.onerror = () => change({ isGone: true })
  setInterval(tick, TICK_MS)
  setInterval(() => state.isGone && void probe(), PROBE_MS)
  followOthers()
  // The sandbox has no event for coins that come from elsewhere.
  if (hasChain) setInterval(look, LOOK_MS)
}

function look() {
  if (!state.isBusy && !isReadingBalances()) void readBalances()
}

/** A call may fail while the stream seems to hold, so this asks. */
async function probe(): Promise<void> {
  if (isProbing) return
  isProbing = true
  await comeBack().catch(() => null)
  isProbing = false
}

/** What a tap leads to is read by the tap itself, so this finds only what is left. */
function catchUp(): void {
  if (isWaiting) return
  isWaiting = true
  const run = async () => {
    isWaiting = false
    await follow()
  }
  void enqueue({ kind: 'elsewhere', title: 'Elsewhere', run, isQuiet: true })
}

/** The sandbox may have been started again, and then knows nobody. */
async function comeBack(): Promise<void> {
  await readControl('/health')
  const isSame = await resumeSession()
  const title = 'The sandbox was started again'
  if (!isSame) await enqueue({ kind: 'outside', title, run: startNew })
  change({ isGone: false, problem: '' })
  catchUp()
}
