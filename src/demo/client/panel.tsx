import { state, type WireEntry } from './store.ts'

const KINDS = { call: 'call', webhook: 'webhook', simulate: 'world' } as const

/** Calls and webhooks, newest first. */
export const Panel = () => (
  <section class="panel" aria-label="On the wire">
    <header>
      <h2>On the wire</h2>
      <span class="quiet">calls of the app's server, and the webhooks it gets</span>
    </header>
    <ol>
      {state.entries.map((entry) => (
        <Line key={entry.id} entry={entry} />
      ))}
    </ol>
    {state.entries.length === 0 && (
      <p class="hint">Nothing yet. Continue on the phone, or let it play by itself.</p>
    )}
  </section>
)

const Line = ({ entry: { kind, title, result, ok, sent, answered } }: { entry: WireEntry }) => (
  <li class={`wire ${kind}`}>
    <details>
      <summary>
        <span class="kind">{KINDS[kind]}</span>
        <code>{title}</code>
        <span class={`badge ${ok ? 'good' : 'warn'}`}>{result}</span>
      </summary>
      {sent !== undefined && <Block title={kind === 'webhook' ? 'Body' : 'Sent'} value={sent} />}
      {answered && <Block title="Answered" value={answered} />}
    </details>
  </li>
)

const Block = ({ title, value }: { title: string; value: unknown }) => (
  <div class="block">
    <span class="quiet">{title}</span>
    <pre>{JSON.stringify(value, null, 2)}</pre>
  </div>
)
