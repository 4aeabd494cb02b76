import type { ReceiverResponse } from './delivery.ts'

/** Characters of a body that a sentence quotes. */
const QUOTED_MAX = 200
/** Characters of a body that are searched. */
const READ_MAX = 2_000

/** Returns true for an HTML document, which no handler of webhooks responds with. */
export const isPage = ({ headers, body }: ReceiverResponse): boolean =>
  /\bhtml\b/i.test(String(headers['content-type'] ?? '')) && /^\s*</.test(body)

/** `The receiver responded with 500 Internal Server Error: boom.` */
export function describeResponse(response: ReceiverResponse, url: string | null): string {
  const { status, statusText, body } = response
  const location = isRedirect(status) && locationOf(response, url)
  const [first = ''] = body.trim().split('\n')
  const quoted = first.slice(0, QUOTED_MAX).replace(/[.\s]+$/, '')
  const said = isPage(response) ? ' and a page (text/html)' : quoted && `: ${quoted}`
  const head = `The receiver responded with ${status} ${statusText}`.trimEnd()
  return `${head}${location ? ` (Location: ${location})` : ''}${said}.`
}

const isRedirect = (status: number) => status >= 300 && status < 400

/** The URL that a redirect leads to. */
function locationOf({ headers }: ReceiverResponse, url: string | null): string | undefined {
  const location = headers.location && String(headers.location)
  if (!location || !url) return location
  return URL.canParse(location, url) ? new URL(location, url).href : location
}

interface Sent {
  url: string | null
  bytes: number
}

/** A hint for a response of which the status alone says what is wrong. */
export function findResponseHint(response: ReceiverResponse, sent: Sent): string | undefined {
  const { status, headers, body } = response
  const path = sent.url === null ? 'this path' : new URL(sent.url).pathname
  if (status >= 500) return 'The receiver failed; check its log.'
  if (status === 304) return '304 is not a response to a POST; respond with 2xx.'
  if (isRedirect(status)) {
    const location = locationOf(response, sent.url)
    if (location && /\b(log-?in|sign-?in|auth|sso)\b/i.test(location)) {
      return `${path} asks for a login: exempt the webhook path from it.`
    }
    return `Redirects are not followed: set the webhook URL to ${location ?? 'the final URL'}.`
  }
  if (isAboutForms(response) || /csrf|forgery/i.test(body.slice(0, READ_MAX))) return CSRF
  switch (status) {
    case 404:
      return `The receiver has nothing at ${path}: correct the webhook URL, or the route.`
    case 405:
      return `${path} does not accept POST${headers.allow ? ` (only ${headers.allow})` : ''}: correct the webhook URL, or the method of the route.`
    case 410:
      return `The receiver says that ${path} is gone for good: set the current webhook URL.`
    case 413:
      return `The body has only ${sent.bytes} bytes: raise the limit of the receiver, or of the proxy in front of it.`
    case 429:
      return 'The receiver limits its request rate; exempt the webhook path.'
    default:
      return undefined
  }
}

/** Frameworks show a page where the token of a form is missing: 403 Django, 419 Laravel, 422 Rails. */
const isAboutForms = (response: ReceiverResponse) =>
  response.status === 419 || ([403, 422].includes(response.status) && isPage(response))

const CSRF =
  'Is the route of the webhook exempt from CSRF protection? It must accept a POST without a token or a session.'
