/** Keeps the pages of the identity check and the bank up to date. Their forms also work without it. */

const LOOK_MS = 2_000

/** A decision that was sent from this page, which it reports to the demo wallet that frames it. */
export interface HostedCall {
  path: string
  body: Readonly<Record<string, unknown>>
  response: Promise<unknown>
}

document.addEventListener('submit', (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || form.method !== 'post') return
  event.preventDefault()
  void decide(form, event.submitter)
})

async function decide(form: HTMLFormElement, button: HTMLElement | null) {
  const fields = new URLSearchParams()
  for (const [name, value] of new FormData(form, button)) fields.append(name, String(value))
  const { for: _wallet, ...body } = Object.fromEntries(fields)
  const response = send(form.action, fields)
  const detail: HostedCall = { path: location.pathname, body, response }
  window.parent.dispatchEvent(new CustomEvent('hosted-call', { detail }))
  await response.catch(({ message }: Error) => say(message))
}

/** Sends a form and shows the page that comes back; throws if the decision was refused. */
async function send(path: string, body: URLSearchParams): Promise<void> {
  const response = await fetch(path, { method: 'POST', body })
  const page = parse(await response.text())
  const problem = page.querySelector('[role=alert], h1')?.textContent
  show(page)
  if (!response.ok) throw new Error(problem ?? `HTTP ${response.status}`)
}

const parse = (text: string) => new DOMParser().parseFromString(text, 'text/html')

const load = async () => parse(await (await fetch(location.href)).text())

/** Replaces the page, and keeps the focus and what was typed. */
function show(page: Document) {
  const { activeElement } = document
  const value = activeElement?.getAttribute('value')
  const typed = document.querySelector<HTMLInputElement>('[name=reason]')?.value
  document.title = page.title
  document.body.replaceChildren(...page.body.childNodes)
  const field = document.querySelector<HTMLInputElement>('[name=reason]')
  if (field && typed !== undefined) field.value = typed
  if (!activeElement || activeElement === document.body) return
  const same = document.querySelector<HTMLElement>(`[value="${value}"]`)
  ;(same ?? document.querySelector<HTMLElement>('main'))?.focus()
}

function say(text: string) {
  const result = document.querySelector('.result')
  if (result) result.textContent = text
}

const statusOf = (page: Document) =>
  page.querySelector<HTMLElement>('[data-status]')?.dataset.status

/** Shows the time that is left, and redraws the page when its status was changed elsewhere. */
async function look() {
  const before = statusOf(document)
  if (document.hidden || before === undefined) return
  const page = await load().catch(() => undefined)
  if (!page || statusOf(document) !== before) return
  if (statusOf(page) !== before) return show(page)
  const [shown, fresh] = [document, page].map((one) => one.querySelector('.hint'))
  if (shown && fresh) shown.replaceWith(fresh)
}

setInterval(() => void look(), LOOK_MS)
// The demo wallet shows these decisions beside its phone.
document.documentElement.classList.toggle('framed', window.parent !== window)
document.body.dataset.ready = 'true'
