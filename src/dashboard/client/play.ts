import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { Json } from '../../client/http.ts'
import { messageOf, openStream } from './calls.ts'
import { badge, element } from './element.ts'

/** Pause between two steps, so that people can follow. */
const STEP_MS = 180

/** Makes the buttons work that play a scenario. */
export function listenForPlays(): void {
  document.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest<HTMLButtonElement>('button[data-play]')
    if (button) void play(button)
  })
}

async function play(button: HTMLButtonElement) {
  const list = document.querySelector('[data-steps]')
  if (!list) return
  button.disabled = true
  list.replaceChildren()
  renderOutcome('playing', '')
  const problem = await follow(list, button.dataset.play ?? '').catch(messageOf)
  button.disabled = false
  if (!problem) return
  list.append(element('li', 'step reason', problem))
  renderOutcome('not played', 'bad')
}

/** Renders the steps as they come; returns what went wrong with the call. */
async function follow(list: Element, path: string): Promise<string | undefined> {
  const headers = { accept: 'text/event-stream' }
  const answer = await openStream({ method: 'POST', path, headers })
  let passed = 0
  const events = answer
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader()
  for (;;) {
    const { value, done } = await events.read().catch(() => ({ value: undefined, done: true }))
    if (done || !value) return 'The sandbox went away before the scenario ended.'
    const data = JSON.parse(value.data)
    if (value.event === 'began') {
      list.append(element('li', 'step quiet', `${list.childElementCount + 1}. ${data.title} …`))
    } else if (value.event === 'passed') {
      list.children[passed]?.replaceWith(toStep(data, ++passed))
      await new Promise((resolve) => setTimeout(resolve, STEP_MS))
    } else {
      return void renderEnd(list, passed, data)
    }
  }
}

/** The answer ends with the steps that did not pass. */
function renderEnd(list: Element, passed: number, { steps, problem, outcome }: Json) {
  while (list.childElementCount > passed) list.lastElementChild?.remove()
  for (const step of steps.slice(passed)) list.append(toStep(step, list.childElementCount + 1))
  if (problem) list.append(toProblem(problem))
  if (outcome === 'passed') renderOutcome(`passed, ${steps.length} steps`, 'good')
  else renderOutcome(outcome, 'bad')
}

const renderOutcome = (text: string, tone: string) =>
  document.querySelector('[data-played]')?.replaceChildren(badge(text, tone))

function toStep({ title, calls, deliveries }: Json, number: number): HTMLElement {
  const lines: HTMLElement[] = calls.map(({ request, response }: Json) =>
    element('li', '', `${request.method} ${request.path} → ${response?.status ?? 'no answer'}`),
  )
  for (const { generation, hook, outcome, request } of deliveries) {
    const type = request.body?.type ?? hook ?? generation
    lines.push(element('li', '', `webhook ${type}, ${outcome}`))
  }
  const summary = element('summary', '', `${number}. ${title}`)
  const details = element('details', '', summary, element('ol', 'calls', ...lines))
  return element('li', 'step', details)
}

function toProblem({ message, differences, at }: Json): HTMLElement {
  const lines = [message, ...differences, at].map((text: string) => element('p', '', text))
  return element('li', 'step reason', ...lines)
}
