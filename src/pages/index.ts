import { readBankLink } from '../world/links.ts'
import { findAsset } from './assets.ts'
import { renderBank } from './bank.ts'
import { renderDemo } from './demo.ts'
import { respondWithHtml } from './document.ts'
import { type HostedPage, renderNotice } from './hosted.ts'
import { renderInspector } from './inspector.ts'
import { renderKyc } from './kyc.ts'
import { decode, type Page, type PageRequest, toLoader, toPage } from './request.ts'
import { findSaved } from './saved.ts'
import { renderSignIn } from './sign-in.ts'

export { submitForm } from './forms.ts'

const ROOT = '/_sandbox'

/** Responds with a page that says why there is none. */
export const respondWithNotice = (status: number, sitePath: string, text: string): Response =>
  respondWithHtml(status, renderNotice(toLoader(sitePath), { title: 'This page is closed.', text }))

/** Responds with a page or with one of its files. */
export async function renderPage(asked: PageRequest): Promise<Response> {
  const { path, prefix, control } = asked
  const page = toPage(asked)
  const [, kind = '', rest = ''] = /^\/_sandbox\/([a-z]*)\/?(.*)$/.exec(path) ?? []
  if (kind === 'assets') return findAsset(rest) ?? new Response(null, { status: 404 })
  // The contract hands out links to this page, so it works without the control API.
  if (kind === 'kyc') return respondHosted(renderKyc(page, decode(rest)))
  if (!control.enabled) {
    const text = 'This sandbox was started with --no-control.'
    const title = 'The inspector is switched off.'
    return respondWithHtml(404, renderNotice(page, { title, text }))
  }
  if (path === ROOT) {
    return new Response(null, { status: 302, headers: { location: `${prefix}${ROOT}/` } })
  }
  const link = kind === 'bank' ? readBankLink(page.world, decode(rest)) : undefined
  // Users reach this page by a link alone, without a control token.
  if (link?.isWhole) return respondHosted(renderBank(page, link.id))
  const denied = await findDenial(page)
  if (denied) return denied
  if (link) return respondHosted(renderBank(page, link.id))
  const saved = kind === 'ui' ? await findSaved(page, rest) : undefined
  if (saved) return saved
  if (kind === 'demo') return respondWithHtml(200, renderDemo(page), 'framing')
  return respondWithHtml(200, renderInspector(page))
}

const respondHosted = ({ status, body }: HostedPage) => respondWithHtml(status, body, 'framed')

/** Asks the control API, because pages and calls are open to the same people. */
async function findDenial(page: Page): Promise<Response | undefined> {
  const response = await page.call('/_sandbox/clock')
  if (response.ok) return undefined
  if (response.status === 401) {
    const { search } = new URL(page.request.url)
    return respondWithHtml(401, renderSignIn(page, `${page.link(page.path)}${search}`))
  }
  const { title = 'This page is closed.', detail: text = '' } = (await response.json()) as {
    title?: string
    detail?: string
  }
  return respondWithHtml(response.status, renderNotice(page, { title, text }))
}
