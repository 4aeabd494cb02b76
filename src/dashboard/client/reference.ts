import {
  createHttpClient,
  type HttpRequest,
  type HttpResponse,
  type Json,
  pathOf,
} from '../../client/http.ts'
import { messageOf } from '../../world/domain-error.ts'
import { findJsonProblem, splitJson } from '../json-parts.ts'
import { asJson, issueToken, LANGUAGES, toCurlOf } from './calls.ts'
import { badge, element } from './element.ts'

/** Headers worth showing; the rest is about the connection. */
const HEADERS = /^(content-type|retry-after|deprecation|sunset|location|allow|x-sandbox-.*)$/

const { prefix = '' } = document.body.dataset
const http = createHttpClient({ url: prefix })

export function listenForTries(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    if (form.dataset.try === undefined) return
    event.preventDefault()
    void attempt(form)
  })
  document.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest<HTMLElement>('[data-language]')
    if (!button) return
    localStorage.setItem('language', button.dataset.language ?? '')
    showCode()
  })
  document.addEventListener('input', showCode)
  for (const show of [showChosen, showCode]) {
    document.addEventListener('drawn', show)
    show()
  }
}

/** Shows the call of the form as code in the chosen language. */
function showCode() {
  const form = document.querySelector<HTMLFormElement>('form[data-try]')
  const place = document.querySelector('[data-code]')
  if (!form || !place) return
  const language = localStorage.getItem('language') ?? 'curl'
  for (const button of document.querySelectorAll<HTMLElement>('[data-language]'))
    button.ariaPressed = String(button.dataset.language === language)
  const { headers, ...request } = readRequest(form)
  const user = new FormData(form).get('user')
  const access = user ? { authorization: 'Bearer $TOKEN' } : {}
  const call = { ...request, path: `${prefix}${request.path}`, headers: { ...headers, ...access } }
  const text = LANGUAGES[language]?.(call) ?? ''
  if (place.textContent !== text) place.replaceChildren(toCode(text))
}

let chosen: string | undefined

/** Scrolls the list to the chosen operation, once. */
function showChosen() {
  const row = document.querySelector<HTMLElement>('.operations [aria-current]')
  const list = row?.closest('.list')
  if (!row || !list || row.id === chosen) return
  chosen = row.id
  const top = row.getBoundingClientRect().top - list.getBoundingClientRect().top
  if (top < 0 || top > list.clientHeight) list.scrollTop += top - list.clientHeight / 2
}

async function attempt(form: HTMLFormElement) {
  const button = form.querySelector('button')
  say(form, 'Sending …')
  if (button) button.disabled = true
  try {
    assertJson(form)
    show(form, await send(form))
    say(form, '')
  } catch (error) {
    say(form, messageOf(error))
  }
  if (button) button.disabled = false
}

const say = (form: HTMLFormElement, text: string) =>
  form.querySelector('[data-hint]')?.replaceChildren(text)

function readRequest(form: HTMLFormElement): HttpRequest {
  const { method = 'GET', path = '' } = form.dataset
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)] as const)
  const valuesIn = (place: string) =>
    fields
      .filter(([name, value]) => name.startsWith(`${place}.`) && value !== '')
      .map(([name, value]) => [name.slice(place.length + 1), value] as const)
  const inPath = Object.fromEntries(valuesIn('path'))
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(inPath[name] ?? ''))
  const { key, body } = Object.fromEntries(fields)
  const headers = key ? { 'x-api-key': JSON.parse(form.dataset.keys ?? '{}')[key] } : {}
  const query = Object.fromEntries(valuesIn('query'))
  const request = { method, path: pathOf({ method, path: filled, query }), headers }
  return asJson(body?.trim() ? { ...request, body: tryParse(body) } : request)
}

/** Keeps unfinished JSON as text while it is typed; `assertJson` keeps it from being sent. */
function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Throws if the body is not JSON, and selects the first mistake. */
function assertJson(form: HTMLFormElement) {
  const field = form.querySelector('textarea')
  const text = field?.value ?? ''
  if (!field || text.trim() === '') return
  field.removeAttribute('aria-invalid')
  const place = findJsonProblem(text)
  if (place === undefined) return
  const before = text.slice(0, place).split('\n')
  field.setAttribute('aria-invalid', 'true')
  field.focus()
  field.setSelectionRange(place, place + 1)
  const at = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`
  const found = text.slice(place, place + 10).trim()
  throw new Error(`The body is not JSON at ${at}: ${found ? `“${found}”` : 'it ends too early'}`)
}

/** Sends with a fresh token of the named user. */
async function send(form: HTMLFormElement) {
  const { user, key: integrator } = Object.fromEntries(new FormData(form))
  const request = readRequest(form)
  const sent = user ? await withToken(request, { user, integrator }) : request
  const before = performance.now()
  const response = await http.send(sent)
  return { sent, response, ms: Math.round(performance.now() - before) }
}

async function withToken(request: HttpRequest, { user, integrator }: Json): Promise<HttpRequest> {
  try {
    const token = await issueToken(prefix, { user, integrator })
    return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } }
  } catch (error) {
    throw new Error(`No access token for ${user}: ${messageOf(error)}`)
  }
}

function show(form: HTMLFormElement, { response, sent, ms }: Awaited<ReturnType<typeof send>>) {
  const { status, headers, body } = response
  const section = form.parentElement?.querySelector<HTMLElement>('[data-response]')
  if (!section) return
  const copy = element('button', 'button small', 'Copy curl')
  copy.dataset.copy = toCurlOf({ ...sent, path: `${prefix}${sent.path}` })
  const time = element('span', 'quiet', `${ms} ms`)
  const state = badge(String(status), toneOf(status))
  const head = element('div', 'row', state, time, ...linkTo(headers), copy)
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2)
  section.replaceChildren(head, toHeaders(headers), ...(text === '' ? [] : [toCode(text)]))
  section.hidden = false
  section.scrollIntoView({ block: 'nearest' })
}

function toneOf(status: number): string {
  if (status < 300) return 'good'
  return status < 500 ? 'warn' : 'bad'
}

function linkTo(headers: HttpResponse['headers']): HTMLElement[] {
  const id = headers['x-sandbox-request']
  if (id === undefined) return []
  const link = element('a', '', 'Open in the journal') as HTMLAnchorElement
  link.href = `${prefix}/_sandbox/ui/requests/${id}`
  return [link]
}

function toHeaders(headers: HttpResponse['headers']): HTMLElement {
  const rows = Object.entries(headers)
    .filter(([name]) => HEADERS.test(name))
    .map(([name, value]) =>
      element('div', '', element('dt', '', name), element('dd', '', element('code', '', value))),
    )
  return element('dl', 'fields', ...rows)
}

function toCode(text: string): HTMLElement {
  const parts = splitJson(text).map(({ text, kind }) =>
    kind ? element('span', `j-${kind}`, text) : text,
  )
  const scrolled = element('section', '', element('pre', '', ...parts))
  scrolled.tabIndex = 0
  scrolled.ariaLabel = 'Text'
  const copy = element('button', 'button small', 'Copy')
  copy.dataset.copy = text
  return element('div', 'code', scrolled, copy)
}
