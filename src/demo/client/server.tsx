import { useEffect, useRef } from 'hono/jsx/dom'
import { checkAgain } from './onboarding.ts'
import { reconcile } from './orders.ts'
import { Button } from './parts.tsx'
import { enqueue } from './queue.ts'
import { type Row, state, type WireGroup } from './store.ts'
import { formatTime, t, type WordKey } from './words.ts'

/** Column of the server's calls and webhooks, oldest first. */
export const Server = () => {
  const list = useRef<HTMLOListElement>(null)
  const { causes, token } = state
  const count = causes.reduce((sum, { rows }) => sum + rows.length, 0)
  useEffect(() => {
    const { current } = list
    if (current) current.scrollTop = current.scrollHeight
  }, [count])
  const run = token === '' ? checkAgain : reconcile
  const title = t(
    token === ''
      ? 'The server reconciles: it asks the user search'
      : 'The server reconciles: it reads the transactions',
  )
  return (
    <section class="server-column" aria-label={t('Your server')}>
      <header>
        <h2>{t('Your server')}</h2>
        <span class="quiet">{t('what it calls, and the webhooks it gets')}</span>
        <Button
          class="button small"
          step="reconcile"
          disabled={state.userId === ''}
          act={() => enqueue({ kind: 'server', title, run })}
        >
          {t('Reconcile')}
        </Button>
      </header>
      {causes.length === 0 && (
        <p class="hint">{t('Nothing yet. Use the phone, or let a story play by itself.')}</p>
      )}
      <ol ref={list} class="wire-groups">
        {causes.map((cause) => (
          <Group key={cause.id} cause={cause} />
        ))}
      </ol>
    </section>
  )
}

const isFresh = (id: number) => state.isPresenting && id > (state.player?.since ?? Infinity)

const Group = ({ cause: { id, kind, title, at, rows } }: { cause: WireGroup }) => (
  <li class={`wire-group ${kind} ${isFresh(id) ? 'fresh' : ''}`}>
    <h3>
      <span>
        {kind !== 'tap' && <i class="tag">{t(kind === 'outside' ? 'simulated' : 'server')}</i>}
        {title}
      </span>
      <time class="quiet">{formatTime(at)}</time>
    </h3>
    <ol>
      {rows.map((row) => (
        <Wire key={row.id} row={row} />
      ))}
    </ol>
  </li>
)

const Wire = ({ row: { kind, title, result, isBad, note, parts = [] } }: { row: Row }) => {
  const said = state.isPresenting && sayRow(title)
  return (
    <li class={`wire ${kind} ${isBad ? 'failed' : ''}`}>
      <details>
        <summary>
          <span class="kind">{t(kind)}</span>
          {said ? <span class="what said">{said}</span> : <code class="what">{title}</code>}
          <span class={`badge ${isBad ? 'bad' : kind === 'call' ? 'quiet' : 'good'}`}>
            {result}
          </span>
          {note && <span class="note">{note}</span>}
        </summary>
        {said && <code class="block">{title}</code>}
        {parts.map(([name, text]) => (
          <div key={name} class="block">
            <span class="quiet">{t(name)}</span>
            <pre>{text}</pre>
          </div>
        ))}
      </details>
    </li>
  )
}

/** Purpose of each row, for an audience. */
const SENTENCES: readonly (readonly [pattern: RegExp, text: WordKey])[] = [
  [/^GET \/v2\/quotes/, 'asks for a price'],
  [/^GET \/v2\/limits/, 'reads the limits'],
  [/^POST \/v2\/transactions/, 'places the order'],
  [/^GET \/v2\/transactions/, 'reads the orders'],
  [/^PUT \/v2\/transactions/, 'cancels the order'],
  [/^PUT \/v2\/webhook/, 'says where to send webhooks'],
  [/^GET \/v2\/users\?/, 'looks for the customer'],
  [/^POST \/v2\/users$/, 'registers the customer'],
  [/requirements$/, 'asks what is missing'],
  [/^PATCH \/v2\/users/, 'adds what is missing'],
  [/kyc-url$/, 'asks for an identity check'],
  [/login-codes\/verify$/, 'logs the customer in'],
  [/login-codes$/, 'asks for a login code'],
  [/^user\.update: verified/, 'is told: the customer is verified'],
  [/^user\.update: in-review/, 'is told: a reviewer looks at the documents'],
  [/^user\.update: upload/, 'is told: more documents are needed'],
  [/^user\.update: rejected/, 'is told: the customer is rejected'],
  [/^transaction\.update: pending/, 'is told: the order is open'],
  [/^transaction\.update: processing/, 'is told: the order is on its way'],
  [/^transaction\.update: complete/, 'is told: the order is complete'],
  [/^transaction\.update: expired/, 'is told: the order has expired'],
  [/^transaction\.update: cancel/, 'is told: the order was cancelled'],
  [/^\S+@\S+: (?<it>.*)/, 'e-mail to the customer: {it}'],
  [/_sandbox\/kyc\//, 'sends the documents'],
  [/\/kyc/, 'the reviewer decides'],
  [/\/settled$/, 'the provider pays out'],
  [/\/funds-received$/, 'the coins arrive'],
  [/\/bank-refused$/, 'the bank declines'],
  [/\/bank\//, 'the bank sends the money'],
  [/\/clock\/advance$/, 'time passes'],
  [/\/faults$/, 'the next webhook will be lost'],
]

function sayRow(title: string): string | undefined {
  const found = SENTENCES.find(([pattern]) => pattern.test(title))
  return found && t(found[1], found[0].exec(title)?.groups)
}
