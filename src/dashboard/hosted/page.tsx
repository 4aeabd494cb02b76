import type { Child } from 'hono/jsx'
import { shownStatus } from '../../world/events.ts'
import { formatLength } from '../format.ts'
import { Document } from '../layout.tsx'
import { Badge } from '../parts.tsx'
import type { View } from '../view.ts'

interface HostedProps {
  view: View
  title: string
  kind: 'kyc' | 'bank'
  /** Status of the user or transaction; client code redraws the page when it changes. */
  status: string
  children: Child
  /** Decisions that somebody else makes in real life, if any are left. */
  bar: Child
}

/** A page of another company that the wallet opens, above a bar of the sandbox. */
export const HostedPage = ({ view, kind, title, status, children, bar }: HostedProps) => (
  <Document title={`${title} · ramp-sandbox`} view={view} script="hosted.js" class="hosted">
    <main
      class={`sheet ${kind}`}
      id="clock"
      data-now={view.world.now}
      data-mode={view.world.mode}
      data-status={status}
    >
      <p class="stand-in">{kind === 'kyc' ? 'Simulated identity check' : 'Simulated bank page'}</p>
      {children}
    </main>
    <aside class="sandbox-bar" aria-label="Sandbox">
      {bar && (
        <form class="stack" data-decide={view.request.url}>
          <p class="bar-title">
            <span>{`Sandbox: decide as the ${kind === 'kyc' ? 'reviewer' : 'bank'}`}</span>{' '}
            <Badge status={shownStatus(view.world, status)} />
          </p>
          {bar}
          <p class="result" role="status" />
        </form>
      )}
    </aside>
  </Document>
)

/** Says in how long something expires, with a countdown. */
export const showExpiry = (what: string, at: number, now: number) => (
  <p class="hint">
    {`${what} expires in `}
    <time class="countdown" datetime={new Date(at).toISOString()} data-until={at} data-length>
      {formatLength(at - now)}
    </time>
    .
  </p>
)

const MARKS: Readonly<Record<string, string>> = {
  good: 'M15 25l7 7 12-14',
  busy: 'M24 14v11l7 4',
  warn: 'M24 14v13M24 33v1',
  bad: 'M17 17l14 14M31 17l-14 14',
}

export const Outcome = (props: {
  tone: string
  title: string
  text?: string
  children?: Child
}) => (
  <div class={`outcome ${props.tone}`} id="outcome">
    <svg class="seal" viewBox="0 0 48 48" width="64" height="64" aria-hidden="true">
      <circle cx="24" cy="24" r="22" />
      <path d={MARKS[props.tone] ?? ''} />
    </svg>
    <h1>{props.title}</h1>
    {props.children}
    {props.text && <p class="quiet">{props.text}</p>}
  </div>
)

export const Notice = ({ view, title, text }: { view: View; title: string; text: string }) => (
  <Document title={`${title} · ramp-sandbox`} view={view} class="hosted">
    <main class="sheet notice">
      <h1>{title}</h1>
      <p>{text}</p>
    </main>
  </Document>
)

/** Asks for the control token once; an HttpOnly cookie keeps it. */
export const SignIn = ({ view }: { view: View }) => (
  <Document title="Control token · ramp-sandbox" view={view} script="hosted.js" class="hosted">
    <main class="sheet">
      <h1>Enter the control token</h1>
      <p>This sandbox was started with --control-token. Your browser will remember the token.</p>
      <form class="stack" data-sign-in={view.link('/_sandbox/sign-in')}>
        <label for="token">Control token</label>
        <input id="token" type="password" required autocomplete="current-password" />
        <button type="submit" class="button primary">
          Open the inspector
        </button>
        <p class="result" role="status" />
      </form>
    </main>
  </Document>
)
