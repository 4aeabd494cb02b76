import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { Json } from '../../client/http.ts'
import { messageOf } from '../../world/domain-error.ts'
import { openStream } from './calls.ts'
import { badge, element } from './element.ts'

/** Pause between two steps, so that people can follow. */
const STEP_MS = 180

/** Makes the buttons work that play scenarios. */
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
  for (const step of [...list.children]) {
    const title = step.querySelector('summary')?.textContent ?? step.textContent ?? ''
    if (step.matches('.reason')) step.remove()
    else step.replaceWith(element('li', 'step quiet', title.replace(/^[✓✗] /, '')))
  }
  renderOutcome('playing', 'busy')
  const problem = await follow(list, button.dataset.play ?? '').catch(messageOf)
  button.disabled = false
  if (!problem) return
  list.append(element('li', 'step reason', problem))
  renderOutcome('not played', 'bad')
}

/** Ticks the steps as they pass; returns what went wrong with the call. */
async function follow(list: Element, path: string): Promise<string | undefined> {
  const headers = { accept: 'text/event-stream' }
  const answer = await openStream({ method: 'POST', path, headers, body: { keepWorld: true } })
  let begun = 0
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
      put(list, begun++, element('li', 'step running', `${begun}. ${data.title} …`))
    } else if (value.event === 'passed') {
      put(list, passed, toStep(data, { number: ++passed, mark: '✓' }))
      await new Promise((resolve) => setTimeout(resolve, STEP_MS))
    } else {
      return void renderEnd(list, passed, data)
    }
  }
}

/** In the place of the step that was foreseen there, or at the end. */
function put(list: Element, index: number, step: HTMLElement) {
  const foreseen = list.children[index]
  if (foreseen) foreseen.replaceWith(step)
  else list.append(step)
}

/** The answer ends with the steps that did not pass; those after them were not played. */
function renderEnd(list: Element, passed: number, { steps, problem, outcome, world }: Json) {
  for (const [index, step] of steps.entries()) {
    if (index >= passed) put(list, index, toStep(step, { number: index + 1, mark: '✗' }))
  }
  if (problem) list.children[Math.max(0, steps.length - 1)]?.after(toProblem(problem))
  while (outcome === 'passed' && list.childElementCount > steps.length) {
    list.lastElementChild?.remove()
  }
  if (outcome === 'passed') renderOutcome(`passed, ${steps.length} steps`, 'good', world)
  else renderOutcome(outcome, 'bad', world)
}

function renderOutcome(text: string, tone: string, world?: string | null) {
  const link = element('a', '', 'Open its world')
  if (world) link.setAttribute('href', `${document.body.dataset.site}/w/${world}/_sandbox/`)
  const parts = [...(world ? [link, ' '] : []), badge(text, tone)]
  document.querySelector('[data-played]')?.replaceChildren(...parts)
}

interface StepMark {
  number: number
  mark: '✓' | '✗'
}

function toStep({ title, calls, deliveries }: Json, { number, mark }: StepMark): HTMLElement {
  const lines: HTMLElement[] = calls.map(({ request, response }: Json) =>
    element('li', '', `${request.method} ${request.path} → ${response?.status ?? 'no answer'}`),
  )
  for (const { generation, hook, outcome, request } of deliveries) {
    const type = request.body?.type ?? hook ?? generation
    lines.push(element('li', '', `webhook ${type}, ${outcome}`))
  }
  const summary = element('summary', '', `${mark} ${number}. ${title}`)
  const details = element('details', '', summary, element('ol', 'calls', ...lines))
  return element('li', `step ${mark === '✓' ? 'passed' : 'failed'}`, details)
}

function toProblem({ message, differences, at }: Json): HTMLElement {
  const lines = [message, ...differences, at].map((text: string) => element('p', '', text))
  return element('li', 'step reason', ...lines)
}
