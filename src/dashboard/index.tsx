import type { Child } from 'hono/jsx'
import { findAsset } from './assets.ts'
import { showBank } from './hosted/bank.tsx'
import { showKyc } from './hosted/kyc.tsx'
import { Notice, SignIn } from './hosted/notice.tsx'
import { Shell } from './layout.tsx'
import { PAGES } from './pages/index.ts'
import type { View, Visit } from './view.ts'

export type { Visit } from './view.ts'

const ROOT = '/_sandbox'

/** Answers a visitor with a page, one of its files, or where to find it. */
export async function show(visit: Visit, demo: (view: View) => Child): Promise<Response> {
  const { path, version } = visit
  if (!visit.enabled) return html(404, <Notice version={version} {...SWITCHED_OFF} />)
  if (path === ROOT) return redirect(`${visit.prefix}${ROOT}/`)
  const [, kind = '', rest = ''] = /^\/_sandbox\/([a-z]*)\/?(.*)$/.exec(path) ?? []
  if (kind === 'assets') return (await findAsset(rest)) ?? notFound(visit)
  // Whoever holds the link may open these, as the user and the bank of the user would.
  if (kind === 'kyc') return toResponse(showKyc(visit, decode(rest)), 'framed')
  if (kind === 'bank') return toResponse(showBank(visit, decode(rest)), 'framed')
  const refused = await refuse(visit)
  if (refused) return refused
  if (kind === 'demo') return html(200, demo(createView(visit)), 'framing')
  return showInside(visit, kind, rest)
}

async function showInside(visit: Visit, kind: string, rest: string): Promise<Response> {
  const view = createView(visit)
  const [part = '', id] = rest.split('/')
  const draw = PAGES[kind === '' ? 'overview' : part]
  const page = await draw?.(view, id === undefined ? undefined : decode(id))
  return page ? html(200, <Shell view={view} page={page} />) : notFound(visit)
}

/** The control API says who may enter, so that pages and calls can never differ. */
async function refuse(visit: Visit): Promise<Response | undefined> {
  const { status, body } = await visit.call('/_sandbox/health').then(async (answer) => ({
    status: answer.status,
    body: answer.ok ? {} : ((await answer.json()) as { title?: string; detail?: string }),
  }))
  if (status < 300) return undefined
  if (status === 401) return html(401, <SignIn visit={visit} />)
  const title = body.title ?? 'This page is closed.'
  return html(status, <Notice version={visit.version} title={title} text={body.detail ?? ''} />)
}

function createView(visit: Visit): View {
  const { sight, prefix } = visit
  const url = new URL(visit.request.url)
  const link = (path: string) => `${prefix}${path}`
  return {
    visit,
    sight,
    world: sight.world,
    query: url.searchParams,
    baseUrl: `${url.origin}${prefix}`,
    link,
    page(path, query = {}) {
      const given = Object.entries(query).filter(([, value]) => value)
      const search = new URLSearchParams(given as [string, string][]).toString()
      return link(`${ROOT}/ui/${path}${search && `?${search}`}`)
    },
  }
}

function toResponse({ status, body }: { status: number; body: Child }, frames: Frames) {
  return html(status, body, frames)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const SWITCHED_OFF = {
  title: 'The dashboard is switched off.',
  text: 'This sandbox was started with --no-control.',
}

const notFound = ({ version, prefix }: Visit) =>
  html(
    404,
    <Notice
      version={version}
      title="There is no such page."
      text="It may have gone with a reset."
      link={{ href: `${prefix}${ROOT}/`, text: 'To the overview' }}
    />,
  )

const redirect = (location: string) => new Response(null, { status: 302, headers: { location } })

/** Whether a page may be framed by the demo wallet, or frames others itself. */
type Frames = 'none' | 'framed' | 'framing'

function html(status: number, body: Child, frames: Frames = 'none'): Response {
  const contentSecurityPolicy = [
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
    'content-security-policy': contentSecurityPolicy.join('; '),
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  }
  return new Response(`<!doctype html>${body}`, { status, headers })
}
