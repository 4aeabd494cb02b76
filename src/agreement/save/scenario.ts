import { formatDuration } from '../../world/duration.ts'
import type { SettingValue } from '../../world/settings/setting.ts'
import type { RecordedCall, RecordingEntry } from '../recording.ts'
import { emailOf, isSuccess } from '../replay/call-parts.ts'
import { type Facts, gatherFacts } from '../replay/facts.ts'
import { planOutside } from '../replay/plan.ts'
import { inferStart } from '../replay/start-world.ts'
import { createCallWriter, stemOf } from './calls.ts'
import { createNames, formatStatement, type Statement, settleNames } from './names.ts'
import { writeOutside } from './outside.ts'
import { Code, toSource, toText } from './source.ts'

export interface SaveOptions {
  title?: string | undefined
  description?: string | undefined
  settings?: Readonly<Record<string, SettingValue>> | undefined
}

const INDENT = '    '
/** What a scenario is given, and so no result may be called. */
const GIVEN = ['step', 'expect', 'api', 'control', 'login', 'webhooks', 'title', 'fixture', 'clock']

/** A scenario that plays what was recorded, as a person would write it. */
export function writeScenario(
  entries: readonly RecordingEntry[],
  options: SaveOptions = {},
): string {
  const { title = 'A recorded session', description = 'Saved from what was recorded.' } = options
  const facts = gatherFacts(entries)
  const { users = [], ...rest } = inferStart(entries, facts, { settings: options.settings })
  const fixture = { ...rest, users }
  const clock = entries[0]?.at
  const body = writePlay(entries, facts, fixture.integrators?.[0]?.apiKey ?? '')
  const given = GIVEN.slice(0, 6).filter((name) => new RegExp(`\\b${name}\\b`).test(body))
  return [
    '// @ts-check',
    '',
    '/**',
    ' * Saved by ramp-sandbox save: keys, codes and personal data are stand-ins.',
    ' *',
    " * @type {import('ramp-sandbox').Scenario}",
    ' */',
    'export default {',
    `  title: ${toText(title)},`,
    `  description: ${toText(description)},`,
    `  fixture: ${toSource(fixture, 2, 11)},`,
    ...(clock === undefined ? [] : [`  clock: ${toText(clock)},`]),
    '',
    `  async play({ ${given.join(', ')} }) {`,
    body,
    '  },',
    '}',
    ...(body.includes('codeOf(') ? ['', CODE_OF] : []),
    ...(body.includes('otherThan(') ? ['', OTHER_THAN] : []),
    ...(body.includes('statusesOf(') ? ['', STATUSES_OF] : []),
    '',
  ].join('\n')
}

const OTHER_THAN = "const otherThan = (code) => (code === '0000' ? '1111' : '0000')"
const CODE_OF = `const codeOf = async (control, email) => {
  const { messages } = await control.get('/inbox', { email, kind: 'login-code' })
  return messages.at(-1)?.code
}`
const STATUSES_OF = `const statusesOf = (sent) =>
  sent.filter(({ generation }) => generation === 'v2').map(({ body }) => body.payload.status)`

function writePlay(entries: readonly RecordingEntry[], facts: Facts, mainKey: string): string {
  const lines: Statement[] = []
  const names = createNames()
  const planned = planOutside(facts)
  const calls = createCallWriter({ names, facts, mainKey })
  let now = Date.parse(entries[0]?.at ?? '')
  let isStepped = false
  /** Time that passes with the next step. */
  let later: { title: string; code: string } | undefined
  for (const { email, id, isCreated } of facts.users) {
    if (id === undefined || isCreated) continue
    const named = names.create(`${stemOf(email)}Id`)
    names.note(id, named.name, named)
    lines.push({ named, code: toText(id) })
  }
  if (needsNoWebhooks(entries)) lines.push("await api.delete('/v2/webhook-configurations')")
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index]
    if (entry === undefined) continue
    happen(index, true)
    advance(Date.parse(entry.at))
    happen(index, false)
    if (entry.kind === 'webhook') continue
    const next = entries[index + 1]
    const login = next?.kind === 'call' && isLogin(entry, next) ? next : undefined
    const written = login ? calls.writeLogin(entry, login) : calls.write(entry)
    if (written.title !== undefined) step(written.title)
    else if (!isStepped) step('The first calls')
    else if (later) stepLater()
    lines.push(...written.lines)
    // The login helper makes both calls.
    if (login) index++
  }
  stepLater()
  lines.push(...writeWebhooks(entries, facts, names.find))
  const texts = lines.map(indent)
  const shown = texts.filter((text, i) => text !== '' || lines[i] === '')
  return settleNames(shown.join('\n').replace(/^\n+/, ''), GIVEN)

  function step(title: string) {
    if (lines.length > 0) lines.push('')
    isStepped = true
    const whole = later === undefined ? title : `${later.title}: ${lowerFirst(title)}`
    lines.push(`step(${toText(whole)})`)
    if (later) lines.push(later.code)
    later = undefined
  }

  /** Time alone is a step, too. */
  function stepLater() {
    if (later === undefined) return
    const { title, code } = later
    later = undefined
    step(title)
    lines.push(code)
  }

  function happen(index: number, isBefore: boolean) {
    const due = planned.filter((plan) => plan.index === index && plan.isBefore === isBefore)
    for (const { outside } of due) {
      const written = writeOutside(outside, names.find, facts)
      if (written === undefined) continue
      step(written.title)
      lines.push(written.code)
    }
  }

  function advance(instant: number) {
    if (!(instant > now)) return
    stepLater()
    const by = formatDuration(instant - now)
    const title = `${toWords(by)} later`
    later = { title, code: `await control.post('/clock/advance', { by: '${by}' })` }
    now = instant
  }

  function indent(line: Statement): string {
    // A name that nothing refers to.
    if (typeof line !== 'string' && !line.named.isUsed && !line.code.startsWith('await')) return ''
    return formatStatement(line).replace(/^(?=.)/gm, INDENT)
  }
}

const UNITS: Readonly<Record<string, string>> = {
  d: 'day',
  h: 'hour',
  m: 'minute',
  s: 'second',
  ms: 'millisecond',
}

/** `5m` as `5 minutes`. */
function toWords(duration: string): string {
  const [, count = '', unit = ''] = /^(\d+)([a-z]+)$/.exec(duration) ?? []
  return `${count} ${UNITS[unit]}${count === '1' ? '' : 's'}`
}

const lowerFirst = (title: string) => title.replace(/^(A|An|The) /, (word) => word.toLowerCase())

/** A session that read or deleted a configuration first began without one. */
function needsNoWebhooks(entries: readonly RecordingEntry[]): boolean {
  const first = entries.find(
    (entry) => entry.kind === 'call' && /WebhookConfiguration$/.test(entry.operation ?? ''),
  )
  return first?.kind === 'call' && first.operation !== 'putWebhookConfiguration'
}

function isLogin(sent: RecordedCall, verified: RecordedCall): boolean {
  return (
    sent.operation === 'sendLoginCode' &&
    verified.operation === 'verifyLoginCode' &&
    isSuccess(sent) &&
    isSuccess(verified) &&
    sent.at === verified.at &&
    emailOf(sent) === emailOf(verified) &&
    sent.request.headers['x-api-key'] === verified.request.headers['x-api-key']
  )
}

/** At the end, the statuses of each transaction and user, as webhooks said them. */
function writeWebhooks(
  entries: readonly RecordingEntry[],
  facts: Facts,
  find: (value: unknown) => Code | undefined,
): Statement[] {
  const statuses = new Map<string, string[]>()
  for (const entry of entries) {
    if (entry.kind !== 'webhook' || entry.request.body?.apiVersion !== 'v2') continue
    const { transactionId, userId, status } = entry.request.body.payload ?? {}
    const id = transactionId ?? userId
    if (typeof id === 'string') statuses.set(id, [...(statuses.get(id) ?? []), String(status)])
  }
  const known = (id: string) => facts.users.some((user) => user.id === id)
  const lines = [...statuses].flatMap(([id, seen]) => {
    const code = find(id) ?? (known(id) ? new Code(toText(id)) : undefined)
    if (code === undefined) return []
    const actual = `statusesOf(await webhooks.about(${code.text}))`
    const line = `expect(${actual}, ${toSource(seen, 0, 24 + actual.length)})`
    return [line]
  })
  return lines.length === 0 ? [] : ['', `step('A webhook was sent for each status')`, ...lines]
}
