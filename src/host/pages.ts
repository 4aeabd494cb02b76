import type { Context, Hono } from 'hono'
import { failToLoad } from '../http/open-files.ts'
import type { Env } from '../http/operation.ts'
import { readBytes } from '../http/request.ts'
import type { HttpError } from '../http/status.ts'
import type { PageRequest } from '../pages/request.ts'

const loadViews = () => import('./views.ts').catch(failToLoad)

const PATHS = [
  '/_sandbox',
  '/_sandbox/',
  '/_sandbox/ui/*',
  '/_sandbox/reference',
  '/_sandbox/reference/:operation',
  '/_sandbox/demo',
  '/_sandbox/kyc/:token',
  '/_sandbox/bank/:id',
  '/_sandbox/assets/:file',
]
/** Forms of pages that work without JavaScript. */
const FORMS = ['/_sandbox/forms/sign-in', '/_sandbox/forms/kyc/:token', '/_sandbox/forms/bank/:id']

/** Sizes by which phones and tablets ask for an icon, before they ask for any. */
const ICON_SIZES = ['-120x120', '-152x152', '-167x167', '-180x180', '']
const ICONS = ICON_SIZES.map((size) => `/apple-touch-icon${size}`)

/** Paths that a browser requests by itself: not API calls, so not in the journal. */
const UNASKED = [
  '/favicon.ico',
  ...ICONS.flatMap((icon) => [`${icon}.png`, `${icon}-precomposed.png`]),
  '/.well-known/appspecific/*',
]

/** Returns true for a browser that opens one of the pages. */
export const isForPerson = ({ method, headers }: Request, path: string): boolean =>
  method === 'GET' &&
  path.startsWith('/_sandbox') &&
  Boolean(headers.get('accept')?.includes('text/html'))

/** Says on a page why a world has none. */
export async function respondWithNotice(
  { status, message }: HttpError,
  sitePath = '',
): Promise<Response> {
  const views = await loadViews()
  return views.respondWithNotice(status, sitePath, message)
}

/** Mounts the pages for people. Their code is loaded with the first request for one. */
export function mountPages(app: Hono<Env>): void {
  for (const path of PATHS) app.get(path, respond)
  for (const path of FORMS) app.get(path, leaveForm).post(path, submit)
  for (const path of UNASKED) app.get(path, (c) => c.body(null, 204))
  app.get('/', welcome)

  /** Redirects browsers from the base URL to the inspector; programs get a 404. */
  function welcome(c: Context<Env>) {
    const isPerson = c.req.header('accept')?.includes('text/html')
    return isPerson
      ? c.redirect(`${c.env.site?.path ?? ''}${c.env.prefix}/_sandbox/`)
      : c.notFound()
  }

  /** Redirects a reader of a form's own URL, which shows what was refused, to its page. */
  function leaveForm(c: Context<Env>) {
    const path = c.req.path.replace(/\/forms\/(sign-in$)?/, '/')
    return c.redirect(`${c.env.site?.path ?? ''}${c.env.prefix}${path}`)
  }

  async function respond(c: Context<Env>): Promise<Response> {
    const { renderPage } = await loadViews()
    return renderPage(readAsked(c))
  }

  async function submit(c: Context<Env>): Promise<Response> {
    const { submitForm } = await loadViews()
    const text = String(await readBytes(c))
    return submitForm(readAsked(c), text)
  }

  function readAsked(c: Context<Env>): PageRequest {
    const { services, site, control, skipped } = c.env
    const sitePath = site?.path ?? ''
    services.timekeeper.sync()
    const { host, origin, pathname } = new URL(c.req.url)
    const base = origin + pathname.slice(0, skipped)
    // The connection is left out, because its headers are the unchanged ones.
    const env = { ...c.env, socket: undefined }
    return {
      request: c.req.raw,
      path: c.req.path,
      origin: site?.origin ?? origin,
      sitePath,
      services,
      prefix: sitePath + c.env.prefix,
      control,
      async call(path, { headers, ...options } = {}) {
        // The headers of this request are kept, so that the control API checks the original caller.
        const own = { ...c.req.header(), host: c.req.header('host') ?? host }
        const all = new Headers({ ...own, ...(headers as Record<string, string>) })
        all.delete('content-length')
        if (isLinkedTo(c)) all.delete('sec-fetch-site')
        return app.fetch(new Request(base + path, { ...options, headers: all }), env)
      },
    }
  }
}

/** Another site may link to a page, because it cannot read what the link opens. */
const isLinkedTo = ({ req }: Context<Env>): boolean =>
  req.method === 'GET' &&
  req.header('sec-fetch-dest') === 'document' &&
  req.header('sec-fetch-mode') === 'navigate'
