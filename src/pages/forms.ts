import { readBankLink } from '../world/links.ts'
import { renderBank } from './bank.ts'
import { respondWithHtml } from './document.ts'
import { type HostedPage, renderNotice } from './hosted.ts'
import { renderKyc } from './kyc.ts'
import { decode, type Page, type PageRequest, toPage } from './request.ts'
import { renderSignIn } from './sign-in.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

/** Responds to a form: calls the control API, and goes back to the page, which then says what came of it. */
export async function submitForm(asked: PageRequest, text: string): Promise<Response> {
  const path = asked.path.replace('/_sandbox/forms/', '/_sandbox/')
  const page = toPage({ ...asked, path })
  if (!isOwnForm(asked)) {
    const title = 'A page on another site sent this form.'
    return respondWithHtml(403, renderNotice(page, { title, text: '' }))
  }
  const fields = Object.fromEntries(new URLSearchParams(text))
  return path === '/_sandbox/sign-in' ? signIn(page, fields) : decide(page, fields)
}

/** Any site may send a form, without the content type by which the control API tells its callers. */
function isOwnForm({ request, origin }: PageRequest): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin' || site === 'none'
  return [origin, null].includes(request.headers.get('origin'))
}

type Fields = Readonly<Record<string, string>>

/** Sends what the user, the reviewer or the bank decided. */
async function decide(page: Page, fields: Fields): Promise<Response> {
  const { status, decision, reason, for: requester } = fields
  const isReasoned = status === 'rejected' || status === 'upload'
  const reasons = isReasoned && reason?.trim() ? [reason.trim()] : undefined
  const body = JSON.stringify({ status, decision, reasons })
  const response = await page.call(page.path, { method: 'POST', headers: JSON_TYPE, body })
  if (response.ok) {
    const query = new URLSearchParams({ done: status ?? decision ?? '' })
    if (requester) query.set('for', requester)
    return goTo(page.link(`${page.path}?${query}`))
  }
  const shown = renderRefused({ ...page, problem: await readProblem(response) }, response)
  return respondWithHtml(shown.status, shown.body, 'framed')
}

/** The page that the form was on, unless that is none of the caller's business. */
function renderRefused(page: Page, { status }: Response): HostedPage {
  const [, , kind, link = ''] = page.path.split('/')
  if (kind === 'kyc') {
    const shown = renderKyc(page, decode(link))
    // A link that has expired is gone for its form, too.
    return shown.status === 200 ? { ...shown, status } : shown
  }
  if (status === 409) {
    return { ...renderBank(page, readBankLink(page.world, decode(link)).id), status }
  }
  return { status, body: renderNotice(page, { title: page.problem ?? '', text: '' }) }
}

async function signIn(page: Page, { token = '', from = '' }: Fields): Promise<Response> {
  // A header cannot carry others.
  const isToken = /^[\x21-\x7e]+$/.test(token)
  const headers = { ...JSON_TYPE, authorization: `Bearer ${isToken ? token : ''}` }
  const response = await page.call(page.path, { method: 'POST', headers, body: '{}' })
  if (response.ok) {
    const isOwn = /^\/\w/.test(from)
    return goTo(isOwn ? from : page.link('/_sandbox/'), response.headers.get('set-cookie'))
  }
  if (response.status === 401) {
    const problem = 'That is not the control token of this sandbox.'
    return respondWithHtml(401, renderSignIn({ ...page, problem }, from))
  }
  const title = await readProblem(response)
  return respondWithHtml(response.status, renderNotice(page, { title, text: '' }))
}

async function readProblem(response: Response): Promise<string> {
  const { title, detail } = (await response.json()) as { title?: string; detail?: string }
  return detail ?? title ?? `HTTP ${response.status}`
}

const goTo = (location: string, cookie?: string | null) =>
  new Response(null, {
    status: 303,
    headers: { location, ...(cookie && { 'set-cookie': cookie }) },
  })
