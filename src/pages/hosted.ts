import { html } from 'hono/html'
import { shownStatus } from '../world/events.ts'
import type { User } from '../world/state.ts'
import { type Html, type Loader, renderDocument } from './document.ts'
import type { Page } from './request.ts'

/** A page for the user, as a response has it. */
export interface HostedPage {
  status: number
  body: Html
}

interface HostedOptions {
  title: string
  kind: 'kyc' | 'bank'
  /** Status of the user or transaction; the page's script redraws it when it changes. */
  status: string
  content: Html
  /** Decisions that somebody else makes in real life, if any are left. */
  decisions: Html | undefined
  /** Result of the last button; by default that of a decision. */
  said?: string | undefined
}

/** A page of another company that the wallet opens, above a bar of the sandbox. */
export function renderHosted(page: Page, options: HostedOptions): HostedPage {
  const { title, kind, status, content, decisions } = options
  const { said = DONE.get(page.query.get('done') ?? '') } = options
  const isKyc = kind === 'kyc'
  const body = html`<main class="sheet ${kind}" data-status="${status}" tabindex="-1">
      <p class="stand-in">${isKyc ? 'Simulated identity check' : 'Simulated bank page'}</p>
      ${content} ${page.problem && html`<p class="result bad" role="alert">${page.problem}</p>`}
    </main>
    ${
      decisions &&
      html`<aside class="sandbox-bar stack" aria-label="Sandbox">
        <p class="bar-title">
          <span>Sandbox: decide as the ${isKyc ? 'reviewer' : 'bank'}</span>
          ${renderBadge(shownStatus(page.world, status))}
        </p>
        ${decisions}
        <p class="result" role="status">${said}</p>
      </aside>`
    }`
  return {
    status: 200,
    body: renderDocument(page, { title, kind: 'hosted', script: 'hosted.js', body }),
  }
}

const DONE = new Map([
  ['verified', 'Approved. You can go back to the app.'],
  ['in-review', 'Sent to a reviewer.'],
  ['upload', 'The user was asked for documents.'],
  ['rejected', 'Rejected. The user was sent a message.'],
  ['refuse', 'Declined. The user was sent a message.'],
])

const TONES: Readonly<Record<string, string>> = {
  verified: 'good',
  upload: 'warn',
  'pending request money transfer': 'warn',
  rejected: 'bad',
  initial: 'quiet',
}

const renderBadge = (status: string) =>
  html`<span class="badge ${TONES[status] ?? 'busy'}" title="${status}">
    ${status.replace(/^pending request money transfer$/, 'pending')}
  </span>`

/** The address to which the forms of this page are sent. */
export const formOf = ({ link, path }: Page): string =>
  link(path.replace('/_sandbox/', '/_sandbox/forms/'))

/** Says in how long something expires. */
export function renderExpiry(what: string, at: number, now: number): Html {
  const seconds = Math.max(0, Math.round((at - now) / 1000))
  return html`<p class="hint">
    ${what} expires in <time datetime="${new Date(at).toISOString()}">${inWords(seconds)}</time>.
  </p>`
}

/** `3 min 20 s`: the two largest units. */
function inWords(seconds: number): string {
  const units = [
    ['d', Math.floor(seconds / 86_400)],
    ['h', Math.floor(seconds / 3_600) % 24],
    ['min', Math.floor(seconds / 60) % 60],
    ['s', seconds % 60],
  ] as const
  const from = units.findIndex(([, count]) => count > 0)
  const shown = units.slice(from, from + 2).filter(([, count]) => count > 0)
  return shown.map(([unit, count]) => `${count} ${unit}`).join(' ') || '0 s'
}

const MARKS = {
  good: 'M15 25l7 7 12-14',
  busy: 'M24 14v11l7 4',
  warn: 'M24 14v13M24 33v1',
  bad: 'M17 17l14 14M31 17l-14 14',
} as const

export interface Outcome {
  tone: keyof typeof MARKS
  title: string
  /** Text below the title. */
  details?: Html | undefined
  text?: string | undefined
}

export const renderOutcome = ({ tone, title, details, text }: Outcome): Html =>
  html`<div class="outcome ${tone}" id="outcome">
    <svg class="seal" viewBox="0 0 48 48" width="64" height="64" aria-hidden="true">
      <circle cx="24" cy="24" r="22" />
      <path d="${MARKS[tone]}" />
    </svg>
    <h1>${title}</h1>
    ${details} ${text && html`<p class="quiet">${text}</p>`}
  </div>`

/** A list of names and values, which leaves out empty values. */
export const renderFields = (rows: Readonly<Record<string, string | Html | undefined>>): Html => {
  const shown = Object.entries(rows).filter(([, value]) => value)
  return html`<dl class="fields">
    ${shown.map(([name, value]) => html`<div><dt>${name}</dt> <dd>${value}</dd></div>`)}
  </dl>`
}

export const nameOf = ({ profile, email }: User): string =>
  [profile.firstName, profile.lastName].filter(Boolean).join(' ') || email

interface Notice {
  title: string
  text: string
}

export const renderNotice = (page: Loader, { title, text }: Notice): Html =>
  renderDocument(page, {
    title,
    kind: 'hosted',
    body: html`<main class="sheet notice">
      <h1>${title}</h1>
      <p>${text}</p>
    </main>`,
  })
