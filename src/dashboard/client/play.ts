import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { Json } from '../../client/http.ts'
import { messageOf } from '../../world/domain-error.ts'
import { toError } from './calls.ts'
import { badge, element } from './element.ts'

export function listenForPlays(): void {
  document.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest<HTMLButtonElement>('button[data-play]')
    if (button) void play(button)
  })
}

/** Plays a scenario and ticks off its steps; those after a failure keep their planned text. */
async function play(button: HTMLButtonElement) {
  const list = document.querySelector('[data-steps]')
  if (!list) return
  button.disabled = true
  showOutcome('playing', 'busy')
  for (const problem of list.querySelectorAll('.reason')) problem.remove()
  try {
    await playAt(button.dataset.play ?? '', (kind, data, number) => {
      const step = list.children[number - 1]
      if (kind === 'began')
        step?.replaceWith(element('li', 'step busy', `${number}. ${data.title}`))
      if (kind === 'passed') step?.replaceWith(toStep(data, number, true))
      if (kind === 'ended') show(list, data)
    })
  } catch (error) {
    list.append(element('li', 'step reason', messageOf(error)))
    showOutcome('not played', 'bad')
  }
  button.disabled = false
}

type OnStep = (kind: string, data: Json, number: number) => void

/** Plays in a new world, and reports each step as soon as its webhooks are known. */
async function playAt(path: string, onStep: OnStep) {
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' }
  const method = 'POST'
  const response = await fetch(path, { method, headers, body: '{"keepWorld":true}' })
  const { status, ok, body } = response
  if (!ok || !body) throw toError({ status, body: await response.json() }, { method, path })
  const text = body.pipeThrough(new TextDecoderStream())
  const reader = text.pipeThrough(new EventSourceParserStream()).getReader()
  const counts: Record<string, number> = {}
  for (let { value } = await reader.read(); value; { value } = await reader.read()) {
    const { event: kind = '', data } = value
    counts[kind] = (counts[kind] ?? 0) + 1
    onStep(kind, JSON.parse(data), counts[kind])
  }
}

function show(list: Element, { steps, problem, outcome, world }: Json) {
  const isPassed = outcome === 'passed'
  const count: number = steps.length
  const done: HTMLElement[] = steps.map((step: Json, index: number) =>
    toStep(step, index + 1, isPassed || index < count - 1),
  )
  const rest = isPassed ? [] : [...list.children].slice(count).map(toForeseen)
  list.replaceChildren(...done, ...(problem ? [toProblem(problem)] : []), ...rest)
  showOutcome(isPassed ? `passed, ${count} steps` : outcome, isPassed ? 'good' : 'bad', world)
}

function showOutcome(text: string, tone: string, world?: string | null) {
  const link = element('a', '', 'Open its world')
  if (world) link.setAttribute('href', `${document.body.dataset.site}/w/${world}/_sandbox/`)
  const parts = [...(world ? [link, ' '] : []), badge(text, tone)]
  document.querySelector('[data-played]')?.replaceChildren(...parts)
}

/** Turns a step of the last play back into a planned one. */
function toForeseen(step: Element): HTMLElement {
  const title = (step.querySelector('summary') ?? step).textContent ?? ''
  return element('li', 'step quiet', title.replace(/^[✓✗] /, ''))
}

function toStep({ title, calls, deliveries }: Json, number: number, isPassed: boolean) {
  const lines: HTMLElement[] = calls.map(({ request, response }: Json) =>
    element('li', '', `${request.method} ${request.path} → ${response?.status ?? 'no response'}`),
  )
  for (const { generation, hook, outcome, request } of deliveries) {
    const type = request.body?.type ?? hook ?? generation
    lines.push(element('li', '', `webhook ${type}, ${outcome}`))
  }
  const summary = element('summary', '', `${isPassed ? '✓' : '✗'} ${number}. ${title}`)
  const details = element('details', '', summary, element('ol', 'calls', ...lines))
  return element('li', `step ${isPassed ? 'passed good' : 'failed bad'}`, details)
}

function toProblem({ message, differences, at }: Json): HTMLElement {
  const lines = [message, ...differences, at].map((text: string) => element('p', '', text))
  return element('li', 'step reason', ...lines)
}
