import { isDeepStrictEqual } from 'node:util'
import type { Played, PlayedCall, PlayedDelivery } from '../../src/http/plays.ts'

type Json = ReturnType<typeof JSON.parse>
/** Prints a body in full when it is the first of its kind, then only what differs. */
type Print = (kind: string, body: Json) => string

const WIDTH_MAX = 100
/** Longest JSON that follows on the line of its call. */
const INLINE_MAX = 60
/** Headers that are in every answer. */
const USUAL = new Set(['content-type', 'x-sandbox-request'])

/**
 * What a person reviews of a scenario: steps, calls, status lines, webhooks, and each body once. Its
 * exact bytes are compared between two runs.
 */
export function formatTranscript({ title, outcome, steps }: Played): string {
  const print = createPrint()
  const parts = steps.map(({ title, calls, deliveries }) =>
    [
      `# ${title}`,
      ...calls.map((call) => formatCall(call, print)),
      ...deliveries.map((delivery) => formatDelivery(delivery, print)),
    ].join('\n'),
  )
  return `${[`${title}: ${outcome}`, ...parts].join('\n\n')}\n`
}

function formatCall({ request, response }: PlayedCall, print: Print): string {
  const { method, path, body } = request
  const kind = `${method} ${toTemplate(path)}`
  const isEmpty = body === null || isDeepStrictEqual(body, {})
  const lines = [`${method} ${path}${isEmpty ? '' : print(kind, body)}`]
  if (response === null) return [...lines, '  no answer'].join('\n')
  const headers = Object.entries(response.headers).filter(([name]) => !USUAL.has(name))
  const extra = headers.map(([name, value]) => `; ${name}: ${value}`).join('')
  const isShown = response.status >= 400 || !path.startsWith('/_sandbox')
  const answer =
    isShown && response.body !== null ? print(`${kind} ${response.status}`, response.body) : ''
  return [...lines, `  ${response.status}${extra}${answer}`].join('\n')
}

function formatDelivery({ generation, hook, request, ...result }: PlayedDelivery, print: Print) {
  const { outcome, reason, error, response } = result
  const topic = request.body?.type ?? hook
  const rest = [reason, error, response && `answered ${response.status}`].filter(Boolean)
  const status = [outcome, ...rest].join(', ')
  return `webhook ${generation} ${topic}: ${status}${print(`webhook ${topic}`, request.body)}`
}

/** Paths that differ only in an id or a query are of one kind. */
const toTemplate = (path: string) =>
  path.replace(/\?.*/, '').replace(/\/(?!v\d\b)[^/]*[\d%][^/]*/g, '/{id}')

function createPrint(): Print {
  const printed = new Map<string, Json>()
  return (kind, body) => {
    const before = printed.get(kind)
    printed.set(kind, body)
    if (before === undefined) return formatBody(body)
    if (isDeepStrictEqual(before, body)) return ', body as before'
    return `, body as before but${formatBody(findChanges(before, body))}`
  }
}

function formatBody(body: Json): string {
  const text = JSON.stringify(body)
  return text.length <= INLINE_MAX ? ` ${text}` : `\n${formatJson(body, '    ')}`
}

/** The fields of an object that are not as before; anything else is shown whole. */
function findChanges(before: Json, after: Json): Json {
  if (!isObject(before) || !isObject(after)) return after
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]))
  return Object.fromEntries(
    changed.map((name) => [
      name,
      name in after ? findChanges(before[name], after[name]) : '(not there)',
    ]),
  )
}

const isObject = (value: Json) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** On one line where it fits. */
function formatJson(value: Json, indent: string, name = ''): string {
  const line = `${indent}${name}${JSON.stringify(value)}`
  if (line.length <= WIDTH_MAX || typeof value !== 'object' || value === null) return line
  const inner = `${indent}  `
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const entries = Array.isArray(value)
    ? value.map((each) => formatJson(each, inner))
    : Object.entries(value).map(([key, each]) => formatJson(each, inner, `${key}: `))
  return [`${indent}${name}${open}`, ...entries, `${indent}${close}`].join('\n')
}
