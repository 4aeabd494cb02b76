import { type Json, send, tellAnswer } from './calls.ts'
import { badge, element } from './element.ts'

/** Between two steps, so that eyes can follow. */
const STEP_MS = 180

/** Buttons that play a scenario show its steps as they come. */
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
  list.replaceChildren(element('li', 'step quiet', 'Playing …'))
  const answer = await send({ method: 'POST', path: button.dataset.play ?? '' })
  button.disabled = false
  if (!answer.ok) {
    list.replaceChildren(element('li', 'step reason', tellAnswer(answer)))
    return
  }
  await showSteps(list, answer.body)
}

async function showSteps(list: Element, { steps, problem, outcome }: Json) {
  list.replaceChildren()
  for (const [index, step] of steps.entries()) {
    list.append(toStep(step, index + 1))
    await new Promise((resolve) => setTimeout(resolve, STEP_MS))
  }
  if (problem) list.append(toProblem(problem))
  const played = document.querySelector('[data-played]')
  const text = outcome === 'passed' ? `passed, ${steps.length} steps` : outcome
  played?.replaceChildren(badge(text, outcome === 'passed' ? 'good' : 'bad'))
}

function toStep({ title, calls, deliveries }: Json, number: number): HTMLElement {
  const lines: HTMLElement[] = calls.map(({ request, response }: Json) =>
    element('li', '', `${request.method} ${request.path} → ${response?.status ?? 'no answer'}`),
  )
  for (const { generation, hook, outcome, request } of deliveries) {
    const told = request.body?.type ?? hook ?? generation
    lines.push(element('li', '', `webhook ${told}, ${outcome}`))
  }
  const summary = element('summary', '', `${number}. ${title}`)
  const details = element('details', '', summary, element('ol', 'calls', ...lines))
  return element('li', 'step', details)
}

function toProblem({ message, differences, at }: Json): HTMLElement {
  const lines = [message, ...differences, at].map((text: string) => element('p', '', text))
  return element('li', 'step reason', ...lines)
}
