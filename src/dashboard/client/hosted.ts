import { messageOf } from '../../world/domain-error.ts'
import { call } from './calls.ts'
import { tick } from './live.ts'
import { morph } from './page.ts'

const LOOK_MS = 2_000

/** A call of this page, which it reports to the demo wallet that frames it. */
export interface HostedCall {
  path: string
  body: Record<string, unknown>
  response: Promise<unknown>
}

document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement
  const { decide, signIn, plain } = form.dataset
  if (plain !== undefined) return
  event.preventDefault()
  if (decide) void decideAt(decide, form, event.submitter as HTMLButtonElement)
  if (signIn) void signInWith(signIn, form)
})

document.addEventListener('click', ({ target }) => {
  const waiting = (target as Element).closest<HTMLButtonElement>('[data-wait]')
  if (waiting?.form) say(waiting.form, waiting.dataset.wait ?? '')
  const part = (target as Element).closest<HTMLElement>('[data-go]')?.dataset.go
  if (part) showPart(part)
})

function showPart(part: string) {
  for (const section of document.querySelectorAll<HTMLElement>('[data-part]')) {
    section.hidden = section.dataset.part !== part
    if (!section.hidden) section.querySelector<HTMLElement>('button')?.focus()
  }
}

async function decideAt(url: string, form: HTMLFormElement, { name, value }: HTMLButtonElement) {
  const reason = form.querySelector<HTMLInputElement>('.reasoned input')?.value.trim()
  const isReasoned = value === 'rejected' || value === 'upload'
  const body = { [name]: value, ...(reason && isReasoned && { reasons: [reason] }) }
  const { pathname: path } = new URL(url)
  const response = call({ method: 'POST', path, body })
  const detail: HostedCall = { path, body, response }
  window.parent.dispatchEvent(new CustomEvent('hosted-call', { detail }))
  try {
    await response
  } catch (error) {
    return say(form, messageOf(error))
  }
  show(await load())
  const rest = document.querySelector('.sandbox-bar form')
  if (rest) say(rest, DONE.get(value) ?? 'Done')
}

const DONE = new Map([
  ['verified', 'Approved. You can go back to the app.'],
  ['in-review', 'Sent to a reviewer.'],
  ['upload', 'The user was asked for documents.'],
  ['rejected', 'Rejected. The user was sent the reason.'],
  ['refuse', 'Declined. The user was sent a message.'],
])

function show({ body }: Document) {
  morph(document.body, body)
  document.dispatchEvent(new Event('drawn'))
}

async function load(): Promise<Document> {
  const text = await (await fetch(location.href)).text()
  return new DOMParser().parseFromString(text, 'text/html')
}

const statusOf = (page: Document) =>
  page.querySelector<HTMLElement>('[data-status]')?.dataset.status

/** Redraws the page when its status was changed elsewhere. */
async function look() {
  const before = statusOf(document)
  if (document.hidden || before === undefined) return
  const drawn = await load().catch(() => undefined)
  if (drawn && statusOf(document) === before && statusOf(drawn) !== before) show(drawn)
}

async function signInWith(path: string, form: HTMLFormElement) {
  const token = form.querySelector('input')?.value ?? ''
  const headers = { authorization: `Bearer ${token}` }
  try {
    await call({ method: 'POST', path, headers })
    location.reload()
  } catch {
    say(form, 'That is not the control token of this sandbox.')
  }
}

function say(form: Element, text: string) {
  const result = form.querySelector('.result')
  if (result) result.textContent = text
}

tick()
setInterval(() => void look(), LOOK_MS)
// The demo wallet shows these decisions beside its phone.
document.documentElement.classList.toggle('framed', window.parent !== window)
document.body.inert = false
document.body.dataset.ready = 'true'
