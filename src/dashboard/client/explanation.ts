import type { Json } from '../../client/http.ts'
import { badge, element } from './element.ts'
import { clearProblems } from './fields.ts'

/** Says below the form why a signature is wrong, or that it is right. */
export function showExplanation(form: HTMLElement, explained: Json): void {
  clearProblems(form)
  const { valid, problems, computed, expected, deliveryId } = explained
  const verdict = badge(valid ? 'valid' : 'invalid', valid ? 'good' : 'bad')
  const head = element('div', 'row', verdict, ...linkTo(deliveryId))
  const parts = [head, ...problems.map(toProblem)]
  if (valid) parts.push(element('p', '', 'The signature in the headers is right.'))
  if (computed?.length === 0) {
    const text = 'Your receiver computed the right signature for this body and this secret.'
    parts.push(element('p', '', text))
  }
  parts.push(...(computed ?? []).map(toProblem), toExpected(expected))
  form.parentElement?.querySelector('[data-explained]')?.replaceChildren(...parts)
}

function toProblem({ message, hint }: Json): HTMLElement {
  return element('div', 'reason', element('p', '', message), element('p', '', hint))
}

function toExpected({ timestamp, signature }: Json): HTMLElement {
  const what = `With this secret, body and timestamp (${timestamp}) the signature is `
  return element('p', 'quiet', what, element('code', '', signature))
}

function linkTo(deliveryId: string | null): HTMLElement[] {
  if (deliveryId === null) return []
  const link = element('a', '', `This is ${deliveryId}`)
  link.setAttribute('href', `${document.body.dataset.prefix}/_sandbox/ui/webhooks/${deliveryId}`)
  return [link]
}
