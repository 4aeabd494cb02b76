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
  const { rows, set, isFirst } = judged
  if (!isFirst) return formatChecked(judged)
  const count = (verdict: FindingVerdict) =>
    rows.filter((row) => row.verdict === verdict && row.breaks !== 'additional').length
  const how = set === 'can be set' && count('set') > 0 ? ' (--out FILE writes them)' : ''
  return `${count('agrees')} agree, ${count('set')} ${set}${how}, ${count('cannot imitate')} the sandbox cannot imitate, ${count('not known')} not known`
}

/** Counts what became of the claims of a settings file. */
function formatChecked({ rows, claimed, unchecked }: Judged): string {
  const differing = rows.filter(({ isNew }) => isNew).length
  const names = unchecked.map(({ setting }) => setting).join(', ')
  return [
    `${claimed.length - unchecked.length} of ${claimed.length} checked`,
    `${differing} ${differing === 1 ? 'differs' : 'differ'}`,
    `${unchecked.length} could not be checked${names && `: ${names}`}`,
  ].join(', ')
}

/** A sentence for somebody who reads no further. */
function formatSummary(calibration: Calibration, judged: Judged): string {
  const { rows, isFirst, unchecked } = judged
  const { findings, readings } = calibration
  if (findings.every(({ provider }) => provider === null)) {
    const why = readings.find(({ problem }) => problem !== null)?.problem
    return `Nothing was measured: ${why ?? 'no response is one of the contract'}.`
  }
  const isBreaking = ({ verdict, breaks }: ReportRow) =>
    verdict === 'cannot imitate' && !['value', 'additional'].includes(breaks)
  if (isFirst) {
    const lines = toLines(judged, rows.filter(isBreaking))
    const named = lines.map(({ what, provider }) => `${what} (${provider})`)
    const things = lines.length === 1 ? 'thing' : 'things'
    const breaking = `${lines.length} ${things} would break a client: ${listShort(named)}`
    const none =
      'Nothing that was seen would break a client that works with the sandbox and these settings'
    const failed = rows.filter(({ isFailure }) => isFailure).length
    const but = failed > 0 ? `, but ${failed} settings could not be looked at` : ''
    return `${scopeOf(calibration)} ${lines.length > 0 ? breaking : none}${but}.`
  }
  const changed = toLines(
    judged,
    rows.filter(({ isNew }) => isNew),
  ).map(({ what }) => what)
  const all =
    unchecked.length === 0 ? '' : `, but ${unchecked.length} settings could not be checked`
  if (judged.claimed.length === 0)
    return 'The file of --settings claims nothing that was looked at.'
  if (changed.length === 0) return `Nothing changed that could be checked${all}.`
  return `${changed.length} ${changed.length === 1 ? 'behaviour' : 'behaviours'} changed: ${listShort(changed)}.`
}

/** Says what a run did at the provider, as far as its responses show it. */
function scopeOf({ leftBehind, notPutBack, readings }: Calibration): string {
  const { users, transactions } = leftBehind
  const succeeded = (route: string) => successesOf({ readings }, route).length > 0
  if (transactions.length > 0) {
    const isOpen = notPutBack.some((text) => text.includes('/cancel '))
    const isCancelled = succeeded(`PUT ${TRANSACTION}/cancel`) && !isOpen
    return isCancelled
      ? 'A buy was quoted, made, read and cancelled; no sell was made.'
      : 'A buy was made, and not cancelled.'
  }
  const who = users.length > 0 ? 'another one' : 'a user'
  const done = [
    ...(users.length > 0
      ? [users.length === 1 ? 'a user was created' : `${users.length} users were created`]
      : []),
    ...(succeeded('POST /v2/auth/login-codes/verify') ? [`${who} logged in`] : []),
  ]
  const isRead = readings.every(({ route }) => route.startsWith('GET ') || route === WEBHOOK)
  if (done.length > 0) return `${toSentence(done.join(' and '))}; nothing was bought.`
  return isRead
    ? 'Only reads were made.'
    : 'Nobody was created or logged in, and nothing was bought.'
}

const toSentence = (text: string) => text.replace(/^./, (first) => first.toUpperCase())

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
    const [{ verdict, isNew, isUnchecked, provider, calls, where, breaks }] = group
    const wheres = [...new Set(group.map((row) => row.where))]
    const whereAll = breaks === 'value' ? listShort(wheres) : where
    const whats = [...new Set(group.map((row) => row.what))]
    const name = verdict === 'set' ? set : verdict === 'agrees' ? 'agrees now' : verdict
    const named = isUnchecked ? whats.join(', ') : listShort(whats)
    const shown = isUnchecked ? '**not checked**' : isNew && !isFirst ? `**${name}**` : name
    return {
      name: shown,
      what: whereAll === '' ? named : `${listShort(whats)} of ${whereAll}`,
      provider,
      sandbox: [...new Set(group.map((row) => row.sandbox))].join(', '),
      calls,
    }
  })
}

function groupBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string) {
  const groups = new Map<string, [Row, ...Row[]]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group) group.push(row)
    else groups.set(keyOf(row), [row])
  }
  return [...groups.values()]
}

/** Responses that a row shows: two, because calls may disagree. */
const SHOWN_MAX = 2

function formatTable(lines: readonly Line[]): string {
  const rows = lines.map(({ name, what, provider, sandbox, calls }) =>
    [name, what, provider, sandbox, calls.slice(0, SHOWN_MAX).join(', ')].map((cell) =>
      cell.replace(/[|\n]/g, ' '),
    ),
  )
  const heads = ['', 'What', 'Provider', 'Sandbox', 'Responses']
  const table = [heads, heads.map(() => '---'), ...rows]
  return table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Lists the settings found, one line per area, each with the sandbox's own value. */
function formatSet(rows: readonly ReportRow[], set: string): string[] {
  if (rows.length === 0) return []
  const areas = groupBy(rows, ({ what }) => what.split('.')[0] ?? '')
  const lines = areas.map((area) => {
    const values = area.map(({ what, provider, sandbox }) => `${what} ${provider} (${sandbox})`)
    return `- ${values.join('; ')}`
  })
  return [
    [`In words that the sandbox has (${set}), with its own value in brackets:`, ...lines].join(
      '\n',
    ),
  ]
}

/** Lists settings that are not known, one reason per line. */
function formatUnknown(rows: readonly ReportRow[]): string[] {
  const known = groupBy(
    rows.filter(({ isNeverMeasured }) => !isNeverMeasured),
    ({ provider }) => provider,
  )
  const lines = known.map((same) => {
    const names = same.map(({ what }) => what).join(', ')
    return `- ${names}: ${same[0].provider.replace(/^because /, '')}`
  })
  const never = rows.filter(({ isNeverMeasured }) => isNeverMeasured).length
  const last = `- ${never} more that no run measures (time would have to pass, money to move, something of yours could be harmed, or no client depends on it): --json names them`
  return [['Not known:', ...lines, ...(never > 0 ? [last] : [])].join('\n')]
}

/** Lists what a first run found, apart from the table. */
function formatRest({ rows, set }: Judged): string[] {
  const of = (verdict: FindingVerdict) => rows.filter((row) => row.verdict === verdict)
  const additional = rows.filter(({ breaks }) => breaks === 'additional').map(({ what }) => what)
  const only = additional.length > 0 ? [`Only the provider has: ${additional.join(', ')}.`] : []
  const agreeing = of('agrees').map(({ what }) => what)
  return [
    ...formatSet(of('set'), set),
    ...only,
    ...formatUnknown(of('not known')),
    `Agree: ${agreeing.join(', ') || 'none'}.`,
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

/** Lists differences that the file of an earlier run did not look at. */
function formatUnknownDifferences({ rows }: Judged): string[] {
  const names = rows.filter(({ isUnknown }) => isUnknown).map(({ what }) => what)
  if (names.length === 0) return []
  const things = names.length === 1 ? 'difference' : 'differences'
  const named = listShort(names, NAMED_MAX)
  return [`${names.length} ${things} of which the file says nothing: ${named}. --out writes them.`]
}

/** The users and transactions that stay at the provider. */
function formatLeftBehind({ leftBehind: { users, transactions } }: Calibration): string[] {
  const count = (ids: readonly string[], what: string) => {
    const number = `${ids.length} ${what}${ids.length === 1 ? '' : 's'}`
    return ids.length > 0 ? [`${number} (${ids.join(', ')})`] : []
  }
  const made = [...count(users, 'user'), ...count(transactions, 'transaction')]
  return made.length > 0 ? [`Left behind at the provider: ${made.join(' and ')}.`] : []
}

/** The report for people about the provider at `url`, in Markdown; without personal data. */
export function formatReport(calibration: Calibration, judged: Judged, url: string): string {
  const { level, notPutBack, notes, readings, isInterrupted } = calibration
  const lines = toLines(judged, judged.rows.filter(inTable(judged)))
  const shown = new Set(lines.flatMap(({ calls }) => calls.slice(0, SHOWN_MAX)))
  const numbers = [...shown].sort((a, b) => a - b)
  const mask = new Mask()
  const left = notPutBack.map((text) => `- ${text}`)
  const accepted = judged.rows.filter(
    ({ verdict, isNew, isUnknown }) => verdict === 'cannot imitate' && !isNew && !isUnknown,
  )
  return [
    `# How ${new URL(url).host} agrees with the sandbox`,
    formatSummary(calibration, judged),
    `Level ${level}: ${formatCounts(judged)}.`,
    ...(isInterrupted ? ['The run was interrupted.'] : []),
    ...(left.length > 0 ? [['Put back by hand:', ...left].join('\n')] : []),
    ...notes,
    ...formatLeftBehind(calibration),
    ...(lines.length > 0 ? [formatTable(lines)] : []),
    ...(judged.isFirst ? formatRest(judged) : []),
    ...(judged.isFirst
      ? []
      : [
          ...(accepted.length > 0
            ? [`${accepted.length} differences were accepted before; --json has them.`]
            : []),
          ...formatUnknownDifferences(judged),
        ]),
    ...(numbers.length > 0 ? ['## Responses'] : []),
    ...(numbers.length > 0
      ? [numbers.map((n) => formatReading(readings[n - 1], n, mask)).join('\n')]
      : []),
    '',
  ].join('\n\n')
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
