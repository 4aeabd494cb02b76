import type { Child } from 'hono/jsx'
import { formatLength } from '../format.ts'
import { Document } from '../layout.tsx'
import type { View } from '../view.ts'
import { enHosted } from './en.ts'
import { frHosted } from './fr.ts'
import { fill, type HostedWords, type Params, toLanguage } from './words.ts'

const TABLES = { en: enHosted, fr: frHosted }

/** Says a text of the table in the language that the page was asked for. */
export type Say = (key: keyof HostedWords, params?: Params) => string

export function createSay({ query }: View): Say {
  const table = TABLES[toLanguage(query.get('lang'))]
  return (key, params) => fill(table[key], params)
}

interface HostedProps {
  view: View
  say: Say
  title: string
  kind: 'kyc' | 'bank'
  /** What the page is about; when it changes outside, the page is drawn again. */
  status: string
  children: Child
  /** What only a sandbox has: decisions of others. */
  bar: Child
}

/** A page of another company that the wallet opens, with the sandbox's own bar below it. */
export const HostedPage = ({ view, say, title, kind, status, children, bar }: HostedProps) => (
  <Document
    title={`${title} · ramp-sandbox`}
    view={view}
    script="hosted.js"
    class="hosted"
    lang={toLanguage(view.query.get('lang'))}
  >
    <main
      class={`sheet ${kind}`}
      id="clock"
      data-now={view.world.now}
      data-mode={view.world.mode}
      data-status={status}
    >
      <p class="stand-in">{say(kind === 'kyc' ? 'kycBy' : 'bankBy')}</p>
      {children}
    </main>
    <aside class="sandbox-bar" aria-label="Sandbox" lang="en">
      {bar}
    </aside>
  </Document>
)

interface ExpiryProps {
  text: string
  at: number
  now: number
}

/** A sentence with the time that is left, which client code keeps up to date. */
export const Expiry = ({ text, at, now }: ExpiryProps) => {
  const [before, after] = text.split('{time}')
  return (
    <p class="hint">
      {before}
      <time class="countdown" datetime={new Date(at).toISOString()} data-until={at} data-length>
        {formatLength(at - now)}
      </time>
      {after}
    </p>
  )
}

/** What became of it: a drawn mark, a title and a sentence. */
export const Outcome = (props: { tone: string; title: string; children?: Child }) => (
  <div class={`outcome ${props.tone}`} id="outcome">
    <Seal tone={props.tone} />
    <h1>{props.title}</h1>
    {props.children}
  </div>
)

const MARKS: Readonly<Record<string, string>> = {
  good: 'M15 25l7 7 12-14',
  busy: 'M24 14v11l7 4',
  warn: 'M24 14v13M24 33v1',
  bad: 'M17 17l14 14M31 17l-14 14',
}

const Seal = ({ tone }: { tone: string }) => (
  <svg class="seal" viewBox="0 0 48 48" width="64" height="64" aria-hidden="true">
    <circle cx="24" cy="24" r="22" />
    <path d={MARKS[tone] ?? ''} />
  </svg>
)
