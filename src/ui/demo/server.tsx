import { useEffect, useMemo, useRef } from 'preact/hooks'
import { formatTime } from './format.ts'
import { checkAgain } from './onboarding.ts'
import { reconcile } from './orders.ts'
import { Button } from './parts.tsx'
import { enqueue } from './queue.ts'
import { type Row, state, type WireGroup } from './store.ts'

/** Calls and webhooks of the wallet's server, oldest first. */
export const Server = () => {
  const { causes } = state
  const list = useRef<HTMLOListElement>(null)
  const count = causes.reduce((sum, { rows }) => sum + rows.length, 0)
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight
  }, [count])
  return (
    <section class="server-column" aria-label="Your server">
      <header>
        <h2>Your server</h2>
        <span class="quiet">its API calls and the webhooks it receives</span>
        <Reconcile />
      </header>
      {causes.length === 0 && (
        <p class="hint">Nothing yet. Play the story, or use the phone yourself.</p>
      )}
      <ol ref={list} class="wire-groups">
        {causes.map((cause) => (
          <Group key={cause.id} cause={cause} isNew={isFresh(cause.id)} />
        ))}
      </ol>
    </section>
  )
}

const Reconcile = () => {
  const { token, userId } = state
  const [run, does] =
    token === '' ? [checkAgain, 'searches for the customer'] : [reconcile, 'reads the transactions']
  const title = `The server reconciles: it ${does}`
  return (
    <Button
      class="button small"
      step="reconcile"
      disabled={userId === ''}
      act={() => enqueue({ kind: 'server', title, run })}
    >
      Reconcile
    </Button>
  )
}

const isFresh = (id: number) => state.isPresenting && id > state.player.since

interface GroupProps {
  cause: WireGroup
  isNew: boolean
}

/** Drawn again only when it has changed, because the page is drawn often and the column is long. */
const Group = ({ cause, isNew }: GroupProps) =>
  useMemo(() => drawGroup(cause, isNew), [cause, isNew])

function drawGroup({ kind, title, at, rows }: WireGroup, isNew: boolean) {
  return (
    <li class={`wire-group ${kind} ${isNew ? 'fresh' : ''}`}>
      <h3>
        <span>
          {kind !== 'tap' && <i class="tag">{kind === 'outside' ? 'simulated' : 'server'}</i>}
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
}

/** A sentence about a call or webhook, which shows its HTTP when it is opened. */
const Wire = ({ row }: { row: Row }) => {
  const { kind, title, result, isBad, note, parts = [] } = row
  const said = sayRow(row)
  const fine = kind === 'call' ? 'quiet' : 'good'
  return (
    <li class={`wire ${kind} ${isBad ? 'failed' : ''}`}>
      <details>
        <summary>
          <span class="kind">{kind}</span>
          {said ? <span class="what said">{said}</span> : <code class="what">{title}</code>}
          <span class={`badge ${isBad ? 'bad' : fine}`}>{result}</span>
          {note && <span class="note">{note}</span>}
        </summary>
        {said && <code class="block">{title}</code>}
        {parts.map(([name, text]) => (
          <div key={name} class="block">
            <span class="quiet">{name}</span>
            <pre>{text}</pre>
          </div>
        ))}
      </details>
    </li>
  )
}

/** Purpose of each row. */
const SENTENCES: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/^GET \/v2\/quotes/, 'asks for a price'],
  [/^GET \/v2\/limits/, 'reads the limits'],
  [/^POST \/v2\/transactions/, 'places the order'],
  [/^GET \/v2\/transactions/, 'reads the orders'],
  [/^PUT \/v2\/transactions/, 'cancels the order'],
  [/^PUT \/v2\/webhook/, 'sets its webhook URL'],
  [/^GET \/v2\/users\?/, 'looks for the customer'],
  [/^POST \/v2\/users$/, 'registers the customer'],
  [/requirements$/, 'asks what is missing'],
  [/^PATCH \/v2\/users/, 'updates the customer'],
  [/kyc-url$/, 'asks for an identity check'],
  [/login-codes\/verify$/, 'logs the customer in'],
  [/login-codes$/, 'asks for a login code'],
  [/^user\.update: verified/, 'learns that the customer is verified'],
  [/^user\.update: in-review/, 'learns that a reviewer is looking at the documents'],
  [/^user\.update: upload/, 'learns that more documents are needed'],
  [/^user\.update: rejected/, 'learns that the customer is rejected'],
  [/^transaction\.update: pending/, 'learns that the order is open'],
  [/^transaction\.update: processing/, 'learns that the order is on its way'],
  [/^transaction\.update: complete/, 'learns that the order is complete'],
  [/^transaction\.update: expired/, 'learns that the order has expired'],
  [/^transaction\.update: cancel/, 'learns that the order was cancelled'],
  [/_sandbox\/kyc\//, 'sends the documents'],
  [/\/kyc/, 'the reviewer decides'],
  [/\/settled$/, 'the provider pays out'],
  [/\/funds-received$/, 'the coins arrive'],
  [/\/bank-refused$/, 'the bank declines'],
  [/\/bank\//, 'the bank sends the money'],
  [/\/clock\/advance$/, 'time passes'],
  [/\/faults$/, 'the next webhook will be lost'],
]

function sayRow({ kind, title, isBad }: Row): string | undefined {
  if (kind === 'app') return isBad ? 'your app did not accept it' : 'your app received it too'
  const [, subject] = /^\S+@\S+: (.*)/.exec(title) ?? []
  if (subject !== undefined) return `e-mail to the customer: ${subject}`
  return SENTENCES.find(([pattern]) => pattern.test(title))?.[1]
}
