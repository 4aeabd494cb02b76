import { call, messageOf } from './calls.ts'
import { tick } from './live.ts'
import { morph } from './page.ts'

document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement
  const { decide, signIn } = form.dataset
  event.preventDefault()
  if (decide) void decideAt(decide, form, event.submitter as HTMLButtonElement)
  if (signIn) void signInWith(signIn, form)
})

document.addEventListener('click', ({ target }) => {
  const button = (target as Element).closest<HTMLElement>('[data-wait]')
  const form = button?.closest('form')
  if (form) say(form, 'Nothing was sent. The request expires by itself.')
})

async function decideAt(url: string, form: HTMLFormElement, { name, value }: HTMLButtonElement) {
  const field = form.elements.namedItem(`reason-${value}`)
  const reason = field instanceof HTMLInputElement ? field.value.trim() : ''
  const body = { [name]: value, ...(reason && { reasons: [reason] }) }
  try {
    await call({ method: 'POST', path: new URL(url).pathname, body })
  } catch (error) {
    return say(form, messageOf(error))
  }
  await redraw()
  const rest = document.querySelector('form')
  if (rest) say(rest, DONE.get(value) ?? 'Done')
}

const DONE = new Map([
  ['verified', 'Approved. You can go back to the app.'],
  ['in-review', 'A reviewer looks at it now.'],
  ['upload', 'The user was asked for documents.'],
  ['rejected', 'Rejected. The user gets the reason.'],
  ['refuse', 'Declined. The user gets a message from the bank.'],
])

async function redraw() {
  const drawn = new DOMParser().parseFromString(
    await (await fetch(location.href)).text(),
    'text/html',
  )
  morph(document.body, drawn.body)
  document.dispatchEvent(new Event('drawn'))
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
document.body.inert = false
document.body.dataset.ready = 'true'
