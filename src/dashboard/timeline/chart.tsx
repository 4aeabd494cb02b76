import { realTime } from '../../real-time.ts'
import { formatLength, formatNumber, plural } from '../format.ts'
import { newest } from '../rows.ts'
import type { View } from '../view.ts'
import { hasFailed, type TimelineEntry } from './entries.ts'

const MINUTE_MS = 60_000
/** The chart covers the shortest of these that holds every call that is kept. */
const WINDOWS_MS = [5, 30, 120, 720, 1440].map((minutes) => minutes * MINUTE_MS)
const BARS = 60
const [BAR_WIDTH, GAP] = [8, 2]
const [ABOVE, BELOW] = [34, 20]
/** So that a single call is seen beside a thousand. */
const BAR_MIN = 2

interface Bar {
  calls: number
  errors: number
  webhooks: number
  failed: number
}

interface ChartProps {
  view: View
  /** What the timeline is filtered to; everything by default. */
  entries: readonly TimelineEntry[] | undefined
}

/** Calls upwards and webhooks downwards, over real time: world time may stand still. */
export const Chart = ({ view, entries }: ChartProps) => {
  const { bars, windowMs } = countBars(view, entries)
  const sum = (name: keyof Bar) => bars.reduce((total, bar) => total + bar[name], 0)
  const [calls, errors] = [sum('calls'), sum('errors')]
  const [webhooks, failed] = [sum('webhooks'), sum('failed')]
  const period = `last ${formatLength(windowMs)}`
  const label = `${plural(calls, 'call')}, ${plural(errors, 'error')} and ${plural(webhooks, 'webhook')} in the ${period}`
  const mostCalls = Math.max(1, ...bars.map((bar) => bar.calls))
  const mostWebhooks = Math.max(1, ...bars.map((bar) => bar.webhooks))
  return (
    <figure class="chart">
      <figcaption>
        <Key tone="calls" count={calls} noun="call" />
        <Key tone="errors" count={errors} noun="error" />
        <Key tone="webhooks" count={webhooks} noun="webhook" />
        {failed > 0 && <span class="quiet">{formatNumber(failed)} of them failed</span>}
        <span class="quiet period">{period}, real time</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${BARS * (BAR_WIDTH + GAP) - GAP} ${ABOVE + 1 + BELOW}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        <rect class="axis" x="0" y={ABOVE} width={BARS * (BAR_WIDTH + GAP) - GAP} height="1" />
        {bars.map((bar, index) => (
          <g transform={`translate(${index * (BAR_WIDTH + GAP)} 0)`}>
            <Up tone="calls" height={heightOf(bar.calls, mostCalls, ABOVE)} />
            <Up tone="errors" height={heightOf(bar.errors, mostCalls, ABOVE)} />
            <Down tone="webhooks" height={heightOf(bar.webhooks, mostWebhooks, BELOW)} />
            <Down tone="errors" height={heightOf(bar.failed, mostWebhooks, BELOW)} />
          </g>
        ))}
      </svg>
    </figure>
  )
}

const Key = ({ tone, count, noun }: { tone: string; count: number; noun: string }) => (
  <span class={`key ${tone}`}>
    <b>{formatNumber(count)}</b> {plural(count, noun).replace(/^\S+ /, '')}
  </span>
)

interface RectProps {
  tone: string
  height: number
}

const Up = ({ tone, height }: RectProps) =>
  height === 0 ? null : (
    <rect class={tone} x="0" y={ABOVE - height} width={BAR_WIDTH} height={height} />
  )

const Down = ({ tone, height }: RectProps) =>
  height === 0 ? null : <rect class={tone} x="0" y={ABOVE + 1} width={BAR_WIDTH} height={height} />

const heightOf = (count: number, most: number, height: number) =>
  count === 0 ? 0 : Math.max(BAR_MIN, Math.round((count / most) * height * 10) / 10)

/** Oldest first. */
function countBars({ services }: View, entries: ChartProps['entries']) {
  const { requests, outbox, timeline } = services
  const calls = entries?.filter((entry) => entry.kind === 'call') ?? newest(requests)
  const deliveries =
    entries?.flatMap((entry) => timeline.deliveriesOf(entry)) ?? newest(outbox.journal)
  const agesMs = calls.map(({ startedAt }) => realTime.elapsed() - startedAt)
  const oldestMs = agesMs.at(-1) ?? 0
  const windowMs = WINDOWS_MS.find((ms) => ms >= oldestMs) ?? DAY_MS
  const bars = Array.from(
    { length: BARS },
    (): Bar => ({ calls: 0, errors: 0, webhooks: 0, failed: 0 }),
  )
  const barAt = (ageMs: number) => bars[BARS - 1 - Math.floor((ageMs / windowMs) * BARS)]
  calls.forEach(({ status }, index) => {
    const bar = barAt(agesMs[index] ?? 0)
    if (!bar) return
    bar.calls++
    if (status >= 400) bar.errors++
  })
  const now = services.wallClock()
  for (const delivery of deliveries) {
    const bar = delivery.sent && barAt(now - delivery.sent.at)
    if (!bar) continue
    bar.webhooks++
    if (hasFailed(delivery)) bar.failed++
  }
  return { bars, windowMs }
}

const DAY_MS = 1440 * MINUTE_MS
