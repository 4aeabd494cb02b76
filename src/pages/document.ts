import { html } from 'hono/html'
import type { Page } from './request.ts'

/** A piece of HTML, in which every value has been escaped. */
export type Html = ReturnType<typeof html>

/** What a page needs to load its files. */
export type Loader = Pick<Page, 'asset'>

interface DocumentOptions {
  title: string
  /** Class of the body. */
  kind: string
  /** Names of files in the build. */
  stylesheets?: readonly string[]
  script?: string
  body: Html
}

/** An HTML page that works without its script. */
export const renderDocument = (page: Loader, options: DocumentOptions): Html =>
  renderHtml(page, options, html` class="${options.kind}"`)

interface ApplicationOptions extends Omit<DocumentOptions, 'body'> {
  /** Facts for the application, as `data-…` attributes of the body. */
  data: Readonly<Record<string, string>>
}

/** The HTML of a browser application. It is inert until its script runs, so that no click is lost. */
export function renderApplication(page: Page, { data, ...options }: ApplicationOptions): Html {
  const facts = Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`)
  const body = html`<div id="app"></div>
      <noscript>This page needs JavaScript.</noscript>`
  return renderHtml(page, { ...options, body }, html` class="${options.kind}" inert${facts}`)
}

function renderHtml(page: Loader, options: DocumentOptions, attributes: Html): Html {
  const { title, stylesheets = ['styles.css'], script, body } = options
  return html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>${title} · ramp-sandbox</title>
      <link rel="icon" href="${page.asset('icon.svg')}" type="image/svg+xml" />
      ${stylesheets.map((file) => html`<link rel="stylesheet" href="${page.asset(file)}" />`)}
      ${script && html`<script type="module" src="${page.asset(script)}"></script>`}
    </head>
    <body${attributes}>
      ${body}
    </body>
  </html>`
}

/** Framing of a page: by nobody, or by the demo wallet, which frames pages itself. */
type Frames = 'none' | 'framed' | 'framing'

/** Responds with a page under a strict content security policy. */
export function respondWithHtml(status: number, page: unknown, frames: Frames = 'none'): Response {
  const rules = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-src ${frames === 'framing' ? "'self'" : "'none'"}`,
    `frame-ancestors ${frames === 'framed' ? "'self'" : "'none'"}`,
  ]
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': rules.join('; '),
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  }
  return new Response(`<!doctype html>${page}`, { status, headers })
}
