import { SandboxError } from '../../client/error.ts'
import type { Json } from '../../client/http.ts'
import { messageOf } from '../../world/domain-error.ts'
import { plural } from '../format.ts'
import { call, formatResponse, isDelivered, issueToken, pick, toCurlOf } from './calls.ts'
import { copyText } from './copy.ts'
import { element, toast } from './element.ts'
import { showExplanation } from './explanation.ts'
import { clearProblems, markProblems, readFields } from './fields.ts'
import { listenForKeys } from './keys.ts'
import { follow, tick } from './live.ts'
import { watchNewRows } from './new-rows.ts'
import { draw, forgetEdits, go, keepEdits } from './page.ts'
import { listenForTries } from './reference.ts'
import { listenForWorlds } from './worlds.ts'

const { prefix = '', site = '' } = document.body.dataset
const SURE_MS = 4_000
const TYPING_MS = 200
const COPIED_MS = 1_200

document.addEventListener('click', (event) => {
  const target = event.target as Element
  const all = target.closest<HTMLButtonElement>('button[data-resend]')
  if (all) return void resendAll(all)
  const button = target.closest<HTMLButtonElement>('button[data-call]')
  if (button) return void press(button)
  const copyButton = target.closest<HTMLElement>('[data-copy]')
  if (copyButton) return void copy(copyButton)
  const link = target.closest<HTMLAnchorElement>('a[href]') ?? linkOfRow(target)
  if (link && isPlain(event) && isInside(link)) {
    event.preventDefault()
    void openPage(link.href)
  }
})

document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement
  if (form.dataset.world !== undefined) {
    event.preventDefault()
    location.assign(`${site}/w/${readFields(form).world}/_sandbox/`)
    return
  }
  if (form.method === 'get' && !form.dataset.call) {
    event.preventDefault()
    return void openPage(urlOf(form))
  }
  if (!form.dataset.call) return
  event.preventDefault()
  const button = event.submitter as HTMLButtonElement | null
  if (button && isUnsure(button)) return
  void act(form, { ...JSON.parse(form.dataset.body ?? '{}'), ...readFields(form) })
})

let typing: number | undefined

/** Follows a link. A search that was typed a moment ago must not lead back. */
function openPage(url: string): Promise<void> {
  document.querySelector('#menu')?.removeAttribute('open')
  clearTimeout(typing)
  return go(url)
}

document.addEventListener('input', ({ target }) => {
  const form = (target as Element).closest<HTMLFormElement>('form[data-auto]')
  if (!form) return
  // Read now, because a redraw in between may reset a field without focus.
  const url = urlOf(form)
  const replace = new URL(url).pathname === location.pathname
  clearTimeout(typing)
  typing = window.setTimeout(() => go(url, { replace }), TYPING_MS)
})

document.addEventListener('change', ({ target }) => {
  const field = target as HTMLInputElement | HTMLSelectElement
  // A select submits its form by itself.
  field.closest<HTMLFormElement>('form[data-instant]')?.requestSubmit()
  const file = field instanceof HTMLInputElement && field.files?.[0]
  if (file) void useFixture(file)
})

async function useFixture(file: File) {
  const request = { method: 'POST', path: `${prefix}/_sandbox/reset` }
  const command = `ramp-sandbox reset --fixture ${file.name}`
  try {
    await call({ ...request, body: { fixture: JSON.parse(await file.text()) } })
    toast({ text: `World loaded from ${file.name}`, ok: true, curl: command })
  } catch (error) {
    toast({ text: `${file.name}: ${messageOf(error)}`, ok: false, curl: command })
  }
  await draw(location.href)
}

addEventListener('popstate', () => draw(location.href))

async function press(button: HTMLButtonElement) {
  if (isUnsure(button)) return
  button.disabled = true
  await act(button, JSON.parse(button.dataset.body ?? '{}'))
  if (button.isConnected) button.disabled = false
}

/** Resends webhooks one at a time, in the order of their events. */
async function resendAll(button: HTMLButtonElement) {
  const ids = button.dataset.resend?.split(' ') ?? []
  const place = button.parentElement
  let failures = 0
  for (const [index, id] of ids.entries()) {
    place?.replaceChildren(...progressOf(index, ids.length))
    const path = `${prefix}/_sandbox/webhooks/deliveries/${id}/resend`
    const response = await call({ method: 'POST', path }).catch(() => undefined)
    if (response?.outcome !== 'delivered') failures++
  }
  const count = plural(ids.length, 'webhook')
  const text = failures > 0 ? `${failures} of ${count} failed again` : `${count} resent`
  const curl = 'npx ramp-sandbox deliveries --failed'
  toast({ text, ok: failures === 0, curl })
  place?.remove()
  await draw(location.href)
}

function progressOf(count: number, total: number): HTMLElement[] {
  const bar = element('progress', '') as HTMLProgressElement
  bar.max = total
  bar.value = count
  bar.ariaLabel = 'Resent'
  return [bar, element('span', 'quiet', `Resending ${count + 1} of ${total} …`)]
}

/** Makes the call of a button or a form, shows its result, and redraws the page. */
async function act(control: HTMLElement, fields: Json) {
  const { call: named = '', done, key, go: next, open, shows } = control.dataset
  const [below = '', method = 'POST'] = named.split(' ').reverse()
  const path = prefix + below
  const sent = Object.entries(fields).filter(([name]) => !path.includes(`{${name}}`))
  const body = Object.fromEntries(sent)
  const headers = key ? { 'x-api-key': key } : {}
  const request = { method, path: fill(path, fields), body, headers }
  const curl = toCurlOf(request)
  let response: Json
  try {
    response = await call(request)
  } catch (error) {
    if (control instanceof HTMLFormElement) markFailure(control, error)
    return toast({ text: messageOf(error), ok: false, curl })
  }
  if (shows === 'explanation') return showExplanation(control, response)
  toast({
    text: formatResponse(response, done && fill(done, response, String)),
    ok: isDelivered(response),
    curl,
  })
  // A button inside a form replaces what was typed there.
  const changed = control.closest('form') ?? control
  clearProblems(changed)
  forgetEdits(changed)
  control.closest('details.menu')?.removeAttribute('open')
  if (open) window.open(pick(response, open), '_blank')
  if (next) await go(fill(next, response))
  else await draw(location.href)
}

function markFailure(form: HTMLFormElement, error: unknown) {
  if (error instanceof SandboxError) markProblems(form, error.problems)
  keepEdits(form)
}

const fill = (text: string, from: Json, encode: (value: string) => string = encodeURIComponent) =>
  text.replace(/\{([\w.]+)\}/g, (_, name: string) => encode(pick(from, name) ?? ''))

async function copy(button: HTMLElement) {
  const { copy: text = '', tokenOf } = button.dataset
  if (!(await copyText(tokenOf ? await withToken(text, button.dataset) : text))) return
  button.classList.add('copied')
  setTimeout(() => button.classList.remove('copied'), COPIED_MS)
}

/** Puts a fresh access token in place of `$TOKEN`; without one the text stays, and a message says why. */
async function withToken(text: string, { tokenOf: user, integrator }: DOMStringMap) {
  try {
    return text.replaceAll('$TOKEN', await issueToken(prefix, { user, integrator }))
  } catch (error) {
    const curl = `npx ramp-sandbox user token ${user}`
    toast({ text: `Copied with $TOKEN: ${messageOf(error)}`, ok: false, curl })
    return text
  }
}

/** Buttons that delete something ask first; a second press confirms. */
function isUnsure(button: HTMLElement): boolean {
  const { sure } = button.dataset
  if (!sure) return false
  const isSure = button.classList.toggle('asking') === false
  if (isSure) {
    button.textContent = button.dataset.text ?? ''
    return false
  }
  button.dataset.text = button.textContent ?? ''
  button.textContent = sure
  setTimeout(() => button.classList.contains('asking') && isUnsure(button), SURE_MS)
  return true
}

function urlOf(form: HTMLFormElement): string {
  const url = new URL(form.action)
  const fields = new FormData(form)
  for (const [name, value] of fields) if (value) url.searchParams.set(name, String(value))
  return url.href
}

/** The whole row is a target, unless the click ended a selection of text. */
const linkOfRow = (target: Element) =>
  getSelection()?.isCollapsed
    ? target.closest('.rows tr')?.querySelector<HTMLAnchorElement>('.row-link')
    : undefined

const isPlain = (event: MouseEvent) =>
  event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)

function isInside(link: HTMLAnchorElement): boolean {
  const { origin, pathname, target, hash } = link
  if (target || link.hasAttribute('download') || origin !== location.origin || hash) return false
  const path = pathname.slice(prefix.length)
  return pathname.startsWith(prefix) && /^\/_sandbox\/($|ui\/|reference($|\/))/.test(path)
}

const scrolledTo = new WeakMap<Element, string>()

/** Scrolls to the current status of a diagram that is wider than a phone. */
function showCurrent() {
  for (const diagram of document.querySelectorAll('.diagram')) {
    const current = diagram.querySelector('.current')
    const status = current?.getAttribute('data-status') ?? ''
    if (!current || scrolledTo.get(diagram) === status) continue
    scrolledTo.set(diagram, status)
    diagram.scrollLeft +=
      current.getBoundingClientRect().left - diagram.getBoundingClientRect().left
  }
}

listenForKeys()
listenForWorlds()
watchNewRows()
showCurrent()
document.addEventListener('drawn', showCurrent)
listenForTries()
tick()
document.body.inert = false
follow(`${prefix}/_sandbox/events/stream`)
