import type { Child } from 'hono/jsx'
import { readBankLink } from '../world/links.ts'
import { findAsset } from './assets.ts'
import { decode } from './format.ts'
import { renderBank } from './hosted/bank.tsx'
import { renderKyc } from './hosted/kyc.tsx'
import { Notice, SignIn } from './hosted/page.tsx'
import { showShell } from './layout.tsx'
import { findPage, Navigation } from './navigation.tsx'
import { PageHead } from './parts.tsx'
import { findSaved } from './saved.ts'
import { createView, type PageRequest, type View } from './view.ts'

const ROOT = '/_sandbox'

/** Responds with a page or with one of its files. */
export async function renderPage(
  asked: PageRequest,
  renderDemo: (view: View) => Child,
): Promise<Response> {
  const { path, prefix, control } = asked
  const view = createView(asked)
  const [, kind = '', rest = ''] = /^\/_sandbox\/([a-z]*)\/?(.*)$/.exec(path) ?? []
  if (kind === 'assets') return findAsset(rest) ?? new Response(null, { status: 404 })
  // The contract hands out links to this page, so it works without the control API.
  if (kind === 'kyc') return framed(renderKyc(view, decode(rest)))
  if (!control.enabled) {
    const text = 'This sandbox was started with --no-control.'
    return html(404, <Notice view={view} title="The inspector is switched off." text={text} />)
  }
  if (path === ROOT) {
    return new Response(null, { status: 302, headers: { location: `${prefix}${ROOT}/` } })
  }
  const link = kind === 'bank' ? readBankLink(view.world, decode(rest)) : undefined
  // Users reach this page by a link alone, without a control token.
  if (link?.isWhole) return framed(renderBank(view, link.id))
  const denied = await findDenial(view)
  if (denied) return denied
  if (link) return framed(renderBank(view, link.id))
  const saved = kind === 'ui' ? await findSaved(view, rest) : undefined
  if (saved) return saved
  if (kind === 'demo') return html(200, renderDemo(view), 'framing')
  if (kind === 'reference') return renderInspector(view, path.slice(`${ROOT}/`.length))
  return renderInspector(view, kind === '' ? 'timeline' : rest)
}

async function renderInspector(view: View, path: string): Promise<Response> {
  const etag = `"f${view.position}"`
  if (view.request.headers.get('if-none-match') === etag) return new Response(null, { status: 304 })
  const [part = '', id] = path.split('/')
  const entry = findPage(part)
  const page = await entry?.render?.(view, id === undefined ? undefined : decode(id))
  const navigation = <Navigation view={view} page={entry} />
  if (page) return html(200, await showShell(view, page, navigation))
  const body = (
    <>
      <PageHead title="Page not found" />
      <p>{await explainMissing(view, part, id)}</p>
      <a href={view.link(`${ROOT}/`)}>Go to the timeline</a>
    </>
  )
  return html(404, await showShell(view, { title: 'Not found', body }, navigation))
}

/** Lists whose rows may no longer be kept, with their paths in the control API. */
const JOURNALS = new Map([
  ['requests', 'requests'],
  ['actions', 'actions'],
  ['webhooks', 'webhooks/deliveries'],
])

/** Explains a dead link; for a row that is no longer kept, in the words of the control API. */
async function explainMissing(view: View, part: string, id: string | undefined): Promise<string> {
  const path = JOURNALS.get(part)
  if (path === undefined || id === undefined) return GONE
  const response = await view.call(`/_sandbox/${path}/${id}`)
  return ((await response.json()) as { detail?: string }).detail ?? GONE
}

const GONE =
  'This world has no such page. What it showed may have been removed by a reset or a restore.'

/** Asks the control API, because pages and calls are open to the same people. */
async function findDenial(view: View): Promise<Response | undefined> {
  const response = await view.call('/_sandbox/clock')
  if (response.ok) return undefined
  if (response.status === 401) return html(401, <SignIn view={view} />)
  const body = (await response.json()) as { title?: string; detail?: string }
  const title = body.title ?? 'This page is closed.'
  return html(response.status, <Notice view={view} title={title} text={body.detail ?? ''} />)
}

const framed = ({ status, body }: { status: number; body: Child }) => html(status, body, 'framed')

/** A page may be framed by the demo wallet, or frame such pages itself. */
function html(
  status: number,
  body: Child,
  frames: 'none' | 'framed' | 'framing' = 'none',
): Response {
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
  return new Response(`<!doctype html>${body}`, { status, headers })
}
