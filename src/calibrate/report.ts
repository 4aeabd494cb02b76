import type { Json } from '../client/http.ts'
import type { Calibration } from './calibrate.ts'
import type { FindingVerdict } from './findings.ts'
import { type Judged, listShort, type ReportRow } from './judge.ts'
import { Mask } from './mask.ts'
import { AMOUNTS_CAD, ORDER, TRANSACTION, WALLET } from './order.ts'
import { type Reading, successesOf } from './reading.ts'
import { WEBHOOK } from './run.ts'
import { USERS } from './users.ts'

/** The first thing that a person reads, on the terminal and in the report. */
export function formatCounts(judged: Judged): string {
  const { rows, set, isWritten, isFirst } = judged
  if (!isFirst) return formatChecked(judged)
  const count = (verdict: FindingVerdict) =>
    rows.filter((row) => row.verdict === verdict && row.breaks !== 'additional').length
  const how = !isWritten && count('set') > 0 ? ' (--out FILE writes them)' : ''
  return `${count('agrees')} agree, ${count('set')} ${set}${how}, ${count('cannot imitate')} the sandbox cannot imitate, ${count('not known')} not known`
}

/** Counts what became of the claims of a settings file. */
function formatChecked({ rows, claimed, unchecked }: Judged): string {
  const differing = rows.filter(({ isNew }) => isNew).length
  const names = unchecked.join(', ')
  return [
    `${claimed.length - unchecked.length} of ${claimed.length} checked`,
    formatCount(differing, 'differs', 'differ'),
    `${unchecked.length} could not be checked${names && `: ${names}`}`,
  ].join(', ')
}

const formatCount = (count: number, one: string, many = `${one}s`) =>
  `${count} ${count === 1 ? one : many}`

/** A sentence for somebody who reads no further. */
function formatSummary(calibration: Calibration, judged: Judged): string {
  const { findings, readings } = calibration
  if (findings.every(({ provider }) => provider === null)) {
    const why = readings.find(({ problem }) => problem !== null)?.problem
    return `Nothing was measured: ${why ?? 'no response is one of the contract'}.`
  }
  return judged.isFirst
    ? `${scopeOf(calibration)} ${formatBreaking(judged)}.`
    : `${formatChanged(judged)}.`
}

/** Names what would break a client, in a first run. */
function formatBreaking(judged: Judged): string {
  const breaking = judged.rows.filter(
    ({ verdict, breaks }) =>
      verdict === 'cannot imitate' && !['value', 'additional'].includes(breaks),
  )
  const named = toLines(judged, breaking).map(({ what, provider }) => `${what} (${provider})`)
  const failed = judged.rows.filter(({ isFailure }) => isFailure).length
  const but = failed > 0 ? `, but ${failed} settings could not be looked at` : ''
  if (named.length > 0) {
    const things = formatCount(named.length, 'thing')
    return `${things} would break a client: ${listShort(named)}${but}`
  }
  return `Nothing that was seen would break a client that works with the sandbox and these settings${but}`
}

/** Names what changed since the settings file was written. */
function formatChanged(judged: Judged): string {
  const { rows, claimed, unchecked } = judged
  if (claimed.length === 0) return 'The file of --settings claims nothing that was looked at'
  const news = rows.filter(({ isNew }) => isNew)
  const changed = toLines(judged, news).map(({ what }) => what)
  if (changed.length > 0) {
    return `${formatCount(changed.length, 'behaviour')} changed: ${listShort(changed)}`
  }
  const left = unchecked.length
  return `Nothing changed that could be checked${left > 0 ? `, but ${left} settings could not be checked` : ''}`
}

/** Says what a run did at the provider, as far as its responses show it. */
function scopeOf(calibration: Calibration): string {
  const { leftBehind, notPutBack, readings } = calibration
  const { users, transactions } = leftBehind
  const succeeded = (route: string) => successesOf(calibration, route).length > 0
  if (transactions.length > 0) {
    const isOpen = notPutBack.some((text) => text.includes('/cancel '))
    return succeeded(`PUT ${TRANSACTION}/cancel`) && !isOpen
      ? 'A buy was quoted, made, read and cancelled; no sell was made.'
      : 'A buy was made, and not cancelled.'
  }
  const isLoggedIn = succeeded('POST /v2/auth/login-codes/verify')
  if (users.length > 0) {
    const created = users.length === 1 ? 'A user was' : `${users.length} users were`
    return `${created} created${isLoggedIn ? ' and another one logged in' : ''}; nothing was bought.`
  }
  if (isLoggedIn) return 'A user logged in; nothing was bought.'
  const isRead = readings.every(({ route }) => route.startsWith('GET ') || route === WEBHOOK)
  return isRead
    ? 'Only reads were made.'
    : 'Nobody was created or logged in, and nothing was bought.'
}

/** Rows that differ only in their subject, merged into one. */
interface Line {
  name: string
  what: string
  provider: string
  sandbox: string
  calls: number[]
}

function toLines({ isFirst, set }: Judged, rows: readonly ReportRow[]): Line[] {
  const keyOf = (row: ReportRow) => {
    const { verdict, breaks, isNew, isUnchecked, where, what, provider, sandbox } = row
    const isStatus = verdict === 'set' && breaks === 'status'
    const place = where !== '' && breaks === 'value' ? what : where
    return JSON.stringify([
      [verdict, breaks, isNew, isUnchecked],
      [place, provider, isStatus || sandbox],
    ])
  }
  return groupBy(rows, keyOf).map((group) => {
    const [{ verdict, isNew, isUnchecked, provider, calls }] = group
    const all = (field: 'where' | 'what' | 'sandbox') => [
      ...new Set(group.map((row) => row[field])),
    ]
    const name = verdict === 'set' ? set : verdict === 'agrees' ? 'agrees now' : verdict
    const whats = isUnchecked ? all('what').join(', ') : listShort(all('what'))
    const wheres = listShort(all('where'))
    return {
      name: isUnchecked ? '**not checked**' : isNew && !isFirst ? `**${name}**` : name,
      what: wheres === '' ? whats : `${whats} of ${wheres}`,
      provider,
      sandbox: all('sandbox').join(', '),
      calls: calls.slice(0, SHOWN_MAX),
    }
  })
}

/** Responses that a row shows: two, because calls may disagree. */
const SHOWN_MAX = 2

function groupBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string) {
  const groups = new Map<string, [Row, ...Row[]]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group) group.push(row)
    else groups.set(keyOf(row), [row])
  }
  return [...groups.values()]
}

function formatTable(lines: readonly Line[]): string {
  if (lines.length === 0) return ''
  const rows = lines.map(({ name, what, provider, sandbox, calls }) =>
    [name, what, provider, sandbox, calls.join(', ')].map((cell) => cell.replace(/[|\n]/g, ' ')),
  )
  const heads = ['', 'What', 'Provider', 'Sandbox', 'Responses']
  const table = [heads, heads.map(() => '---'), ...rows]
  return table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Lists the settings found, one line per area, each with the sandbox's own value. */
function formatSet(rows: readonly ReportRow[], set: string): string {
  if (rows.length === 0) return ''
  const areas = groupBy(rows, ({ what }) => what.split('.')[0] ?? '')
  const lines = areas.map((area) => {
    const values = area.map(({ what, provider, sandbox }) => `${what} ${provider} (${sandbox})`)
    return `- ${values.join('; ')}`
  })
  const head = `In words that the sandbox has (${set}), with its own value in brackets:`
  return [head, ...lines].join('\n')
}

/** Lists settings that are not known, one reason per line. */
function formatUnknown(rows: readonly ReportRow[]): string {
  const known = rows.filter(({ isNeverMeasured }) => !isNeverMeasured)
  const lines = groupBy(known, ({ provider }) => provider).map((same) => {
    const names = same.map(({ what }) => what).join(', ')
    return `- ${names}: ${same[0].provider.replace(/^because /, '')}`
  })
  const never = rows.length - known.length
  const last = `- ${never} more that no run measures (time would have to pass, money to move, something of yours could be harmed, or no client depends on it): --json names them`
  return ['Not known:', ...lines, ...(never > 0 ? [last] : [])].join('\n')
}

/** Sections of what a first run found, apart from the table. */
function formatRest({ rows, set }: Judged): string[] {
  const of = (verdict: FindingVerdict) => rows.filter((row) => row.verdict === verdict)
  const namesOf = (some: readonly ReportRow[]) => some.map(({ what }) => what).join(', ')
  const additional = namesOf(rows.filter(({ breaks }) => breaks === 'additional'))
  return [
    formatSet(of('set'), set),
    additional && `Only the provider has: ${additional}.`,
    formatUnknown(of('not known')),
    `Agree: ${namesOf(of('agrees')) || 'none'}.`,
  ]
}

/** Selects the rows of the table: in a first run what would break a client, later what is new. */
function inTable({ isFirst }: Judged) {
  return ({ verdict, breaks, isNew, isUnchecked, isFailure }: ReportRow): boolean => {
    if (!isFirst) return isNew || isUnchecked === true || isFailure === true
    return verdict === 'cannot imitate' && breaks !== 'additional'
  }
}

const NAMED_MAX = 10

/** Sections about what is no news to the settings file, or of which it says nothing. */
function formatAccepted({ rows }: Judged): string[] {
  const accepted = rows.filter(
    ({ verdict, isNew, isUnknown }) => verdict === 'cannot imitate' && !isNew && !isUnknown,
  ).length
  const names = rows.filter(({ isUnknown }) => isUnknown).map(({ what }) => what)
  const unknown = formatCount(names.length, 'difference')
  const named = listShort(names, NAMED_MAX)
  return [
    accepted > 0 ? `${accepted} differences were accepted before; --json has them.` : '',
    named && `${unknown} of which the file says nothing: ${named}. --out writes them.`,
  ]
}

/** The users and transactions that stay at the provider. */
function formatLeftBehind({ leftBehind: { users, transactions } }: Calibration): string {
  const name = (ids: readonly string[], what: string) =>
    ids.length > 0 ? [`${formatCount(ids.length, what)} (${ids.join(', ')})`] : []
  const made = [...name(users, 'user'), ...name(transactions, 'transaction')].join(' and ')
  return made && `Left behind at the provider: ${made}.`
}

/** The report for people about the provider at `url`, in Markdown; without personal data. */
export function formatReport(calibration: Calibration, judged: Judged, url: string): string {
  const { level, notPutBack, notes, readings, isInterrupted } = calibration
  const lines = toLines(judged, judged.rows.filter(inTable(judged)))
  const shown = new Set(lines.flatMap(({ calls }) => calls))
  const numbers = [...shown].sort((a, b) => a - b)
  const mask = new Mask()
  const left = notPutBack.map((text) => `- ${text}`).join('\n')
  const sections = [
    `# How ${new URL(url).host} agrees with the sandbox`,
    formatSummary(calibration, judged),
    `Level ${level}: ${formatCounts(judged)}.`,
    isInterrupted ? 'The run was interrupted.' : '',
    left && `Put back by hand:\n${left}`,
    ...notes,
    formatLeftBehind(calibration),
    formatTable(lines),
    ...(judged.isFirst ? formatRest(judged) : formatAccepted(judged)),
    numbers.length > 0 ? '## Responses' : '',
    numbers.map((n) => formatReading(readings[n - 1], n, mask)).join('\n'),
  ]
  return `${sections.filter((section) => section !== '').join('\n\n')}\n\n`
}

const BODY_LENGTH_MAX = 400

function formatReading(reading: Reading | undefined, n: number, mask: Mask): string {
  if (reading === undefined) return ''
  const { status, body, problem, sent } = reading
  const format = (value: Json) => {
    if (value === undefined || value === '') return ''
    const text = JSON.stringify(mask.body(value))
    const short = text.length > BODY_LENGTH_MAX ? `${text.slice(0, BODY_LENGTH_MAX)}…` : text
    return ` \`${short.replace(/[`\n]/g, '’')}\``
  }
  return `${n}. \`${callIn(reading, mask)}\`${format(sent.body)}: ${problem ?? status}${format(body)}`
}

/** The exchanges of a run without what is secret or personal, for tools. */
export function toMasked(readings: readonly Reading[]) {
  const mask = new Mask()
  return readings.map((reading, i) => {
    const { step, sent, status, body, problem } = reading
    return {
      number: i + 1,
      step,
      call: callIn(reading, mask),
      sent: mask.body(sent.body ?? null),
      status,
      body: mask.body(body ?? null),
      problem,
    }
  })
}

function callIn({ route, path }: Reading, mask: Mask): string {
  const [method = '', template = ''] = route.split(' ')
  return route === WEBHOOK ? 'webhook' : `${method} ${mask.target(template, path)}`
}

const SECRET_LENGTH_MIN = 5

/** A text without keys, tokens and addresses, wherever a provider put them. */
export function redact(text: string, secrets: readonly string[]): string {
  const found = secrets.filter((secret) => secret.length >= SECRET_LENGTH_MIN)
  if (found.length === 0) return text
  const escaped = found.map((secret) => secret.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return text.replace(new RegExp(escaped.join('|'), 'gi'), '(hidden)')
}

/** Every call of a run, as the sandbox itself got it, and what it would cost. */
export function formatPlan(readings: readonly Reading[]): string {
  const lines = readings.map(({ route, path, sent, step }) => {
    const [method] = route.split(' ')
    const { body, key = 'first', token } = sent
    const credentials = [key === 'none' ? 'no key' : `${key} key`, ...(token ? ['token'] : [])]
    const content = body === undefined ? '' : ` ${JSON.stringify(body)}`
    return `${method} ${decodeURIComponent(path)}${content} (${step}; ${credentials.join(', ')})`
  })
  return [...lines, '', ...formatCosts(readings), ''].join('\n')
}

function formatCosts(readings: readonly Reading[]): string[] {
  const accepted = (route: string) =>
    readings.filter((reading) => reading.route === route && reading.status < 300)
  const users = accepted(USERS).length
  const amounts = accepted(ORDER).map(({ data }) => `${data?.leftSideValue} CAD`)
  const made =
    amounts.length > 0
      ? `makes ${amounts.length} transactions (${amounts.join(', ')}), to the wallet ${WALLET}, and cancels each;`
      : 'makes no transaction;'
  return [
    `${readings.length} calls, if the provider responds as the sandbox does. That creates ${users} users, who stay,`,
    `${made} the amounts go up from ${AMOUNTS_CAD[0]} CAD until one is accepted,`,
    `to ${AMOUNTS_CAD.at(-1)} CAD at most. Where a bound differs, a search makes up to ten more of the same call.`,
    'Ids are those of the sandbox.',
  ]
}
