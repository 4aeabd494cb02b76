import type { Played, PlayedCall, PlayedDelivery } from '../../src/control-api/plays.ts'

type Json = ReturnType<typeof JSON.parse>
/** The shape of a body the first time; afterwards only the statuses that it reports. */
type Print = (kind: string, body: Json) => string

/** Headers that every response has. */
const USUAL = new Set(['content-type', 'x-sandbox-request'])

/** Steps, calls, status codes, shapes of bodies and webhooks of a scenario: what a client can tell apart. */
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
  const call = `${request.method} ${toTemplate(request.path)}`
  if (response === null) return `${call} → no response`
  const headers = Object.entries(response.headers).filter(([name]) => !USUAL.has(name))
  const extra = headers.map(([name, value]) => `; ${name}: ${value}`).join('')
  const isOfControl = request.path.startsWith('/_sandbox')
  const isShown = response.body !== null && (response.status >= 400 || !isOfControl)
  const kind = `${call} ${response.status}`
  return `${call} → ${response.status}${extra}${isShown ? print(kind, response.body) : ''}`
}

function formatDelivery({ generation, hook, request, ...result }: PlayedDelivery, print: Print) {
  const { outcome, reason, error, response } = result
  const topic = request.body?.type ?? hook
  const rest = [reason, error, response && `${response.status}`].filter(Boolean)
  const status = [outcome, ...rest].join(', ')
  return `webhook ${generation} ${topic}: ${status}${print(`webhook ${topic}`, request.body)}`
}

/** Ids and queries differ from call to call. */
const toTemplate = (path: string) =>
  path.replace(/\?.*/, '').replace(/\/(?!v\d\b)[^/]*[\d%][^/]*/g, '/{id}')

function createPrint(): Print {
  const printed = new Set<string>()
  return (kind, body) => {
    const shape = JSON.stringify(toShape(body))
      .replace(/"(\w+)":/g, '$1: ')
      .replaceAll('"', '')
    const key = `${kind} ${shape}`
    const isNew = !printed.has(key)
    printed.add(key)
    const statuses = [...JSON.stringify(body).matchAll(/"status":"([^"]+)"/g)].map(([, it]) => it)
    const said = statuses.length > 0 ? ` (${statuses.join(', ')})` : ''
    return `${said}${isNew ? `\n    ${shape}` : ''}`
  }
}

function toShape(value: Json): Json {
  if (Array.isArray(value)) return value.length > 0 ? [toShape(value[0])] : []
  if (value === null) return 'null'
  if (typeof value !== 'object') return typeof value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toShape(each)]))
}
