import { useEffect, useRef } from 'hono/jsx/dom'
import { checkAgain } from './onboarding.ts'
import { Button } from './parts.tsx'
import { enqueue } from './queue.ts'
import { sayRow } from './sentences.ts'
import { type Row, state, type WireGroup } from './store.ts'
import { reconcile } from './trading.ts'
import { formatTime } from './words.ts'

const SEARCHES = 'The server reconciles: it asks the user search'
const RECONCILES = 'The server reconciles: it reads the transactions'

/** What the integrator's server does and gets, oldest first: the last line is the latest. */
export const Server = () => {
  const list = useRef<HTMLOListElement>(null)
  const { causes, token } = state
  const count = causes.reduce((sum, { rows }) => sum + rows.length, 0)
  useEffect(() => {
    const { current } = list
    if (current) current.scrollTop = current.scrollHeight
  }, [count])
  return (
    <section class="server-column" aria-label="Your server">
      <header>
        <h2>Your server</h2>
        <span class="quiet">what it calls, and the webhooks it gets</span>
        <Button
          class="button small"
          step="reconcile"
          disabled={state.userId === ''}
          act={() =>
            enqueue({
              kind: 'server',
              title: token === '' ? SEARCHES : RECONCILES,
              run: token === '' ? checkAgain : reconcile,
            })
          }
        >
          Reconcile
        </Button>
      </header>
      {causes.length === 0 && (
        <p class="hint">Nothing yet. Use the phone, or let a story play by itself.</p>
      )}
      <ol ref={list} class="wire-groups">
        {causes.map((cause) => (
          <Group key={cause.id} cause={cause} />
        ))}
      </ol>
    </section>
  )
}

const Group = ({ cause: { id, kind, title, at, rows } }: { cause: WireGroup }) => (
  <li class={`wire-group ${kind} ${isFresh(id) ? 'fresh' : ''}`}>
    <h3>
      <span>{title}</span>
      <time class="quiet">{formatTime(at)}</time>
    </h3>
    <ol>
      {rows.map((row) => (
        <Wire key={row.id} row={row} />
      ))}
    </ol>
  </li>
)

const isFresh = (id: number) => state.isPresenting && id > (state.player?.since ?? Infinity)

const Wire = ({ row: { kind, title, result, ok, note, parts } }: { row: Row }) => (
  <li class={`wire ${kind} ${ok ? '' : 'failed'}`}>
    <details>
      <summary>
        <span class="kind">{kind}</span>
        {state.isPresenting && sayRow(kind, title) ? (
          <span class="what said">{sayRow(kind, title)}</span>
        ) : (
          <code class="what">{title}</code>
        )}
        <span class={`badge ${ok ? (kind === 'call' ? 'quiet' : 'good') : 'bad'}`}>{result}</span>
        {note !== '' && <span class="note">{note}</span>}
      </summary>
      {state.isPresenting && <code class="block">{title}</code>}
      {parts.map(([name, text]) => (
        <div key={name} class="block">
          <span class="quiet">{name}</span>
          <pre>{text}</pre>
        </div>
      ))}
    </details>
  </li>
)
