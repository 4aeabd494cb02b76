import type { ActionRecord, DeliveryRecord, RequestRecord } from '../control-api/wire.ts'
import { isForCaller, isSuspicious } from '../http/notes.ts'
import { hadNoUrl, nameOutcome } from '../webhooks/delivery.ts'
import { isFinding, type LogEntry, type LogSubject } from './log.ts'

/** Lines in all, the title included, and those of them that are about webhooks. */
const LINES_MAX = 10
const WEBHOOKS_MAX = 5
/** Different findings that are kept; the oldest go. */
const FINDINGS_MAX = 200
const LINE_LENGTH_MAX = 600

export interface Finding {
  kind: 'webhook' | 'call'
  /** Number of times it happened. */
  count: number
  text: string
}

/**
 * What a sandbox saw that may explain why a command or a test failed: webhooks without a 2xx, calls
 * that were refused, and accepted ones with a note. It is kept as it happens, because a reset empties
 * the journal.
 */
export class FailureSummary {
  /** By what makes two the same; the one that happened last is the last. */
  readonly #findings = new Map<string, Finding & Found>()

  readonly add = ({ subject }: Pick<LogEntry, 'subject'>): void => {
    const found = isFinding(subject) && toFinding(subject)
    if (!found) return
    const text = found.text.slice(0, LINE_LENGTH_MAX)
    const key = [found.kind, found.status, withoutIds(text)].join(' ')
    const { count = 0 } = this.#findings.get(key) ?? {}
    this.#findings.delete(key)
    this.#findings.set(key, { ...found, count: count + 1, text })
    const [oldest = ''] = this.#findings.size > FINDINGS_MAX ? this.#findings.keys() : []
    this.#findings.delete(oldest)
  }

  /** The last findings, each once with its count: webhooks, calls, and connections that broke. */
  get findings(): Finding[] {
    const all = [...this.#findings.values()]
    const sent = all.filter(({ isUnsent }) => !isUnsent)
    // No webhook URL is the usual case in a suite without webhooks, and then no cause.
    const told = sent.length > 0 ? sent : all
    const webhooks = told.filter(({ kind }) => kind === 'webhook').slice(-WEBHOOKS_MAX)
    const left = LINES_MAX - 1 - webhooks.length
    const calls = told.filter(({ kind }) => kind === 'call').slice(-left)
    // A test that ends breaks the connections of its receiver, so these explain a failure last.
    const isBroken = ({ text }: Found) => text.includes('ECONNRESET')
    const answered = webhooks.filter((webhook) => !isBroken(webhook))
    const sorted = [...answered, ...calls, ...webhooks.filter(isBroken)]
    return sorted.map(({ kind, count, text }) => ({ kind, count, text }))
  }

  /** The findings below a title, for people; empty without any. */
  format(title: string): string {
    const lines = this.findings.map(({ count, text }) => `  ${count} × ${text}`)
    return lines.length === 0 ? '' : [title, ...lines].join('\n')
  }
}

interface Found extends Omit<Finding, 'count'> {
  status: unknown
  /** True for a webhook that was not sent because no URL was configured. */
  isUnsent?: boolean
}

function toFinding({ kind, row }: LogSubject): Found | undefined {
  if (kind === 'request') return ofCall(row)
  if (kind === 'delivery') return ofWebhook(row)
  return kind === 'action' ? ofAction(row) : undefined
}

function ofCall(call: RequestRecord): Found {
  const { method, url, status } = call
  const text = describeRefusal(call, isSuspicious)
  const { pathname } = new URL(url)
  const path = pathname.replace(/^\/w\/[^/]*/, '')
  return { kind: 'call', status, text: `${method} ${path} → ${status || 'no response'}: ${text}` }
}

function ofWebhook(delivery: DeliveryRecord): Found | undefined {
  const { type, generation, hook, url, outcome, response, problem } = delivery
  if (problem === null) return undefined
  const name = generation === 'v1' ? `v1 ${hook}` : type
  // Legacy webhooks are recorded only for those who configured some.
  if (hadNoUrl(delivery) && generation === 'v2') {
    const text = `${name} was not sent: no webhook URL was configured, which may be intended.`
    return { kind: 'webhook', status: outcome, text, isUnsent: true }
  }
  const why = `${problem.message} ${problem.hint}`
  const where = url !== null && why.includes(url) ? '' : ` → ${url ?? 'not sent'}`
  const status = response?.status ?? nameOutcome(outcome)
  return { kind: 'webhook', status, text: `${name}${where}: ${why}` }
}

function ofAction({ operation, subject, status, problem }: ActionRecord): Found | undefined {
  const what = [operation, subject].filter(Boolean).join(' ')
  return problem === null
    ? undefined
    : { kind: 'call', status, text: `${what} → ${status}: ${problem}` }
}

/** Ids, numbers and ports differ between findings that are the same. */
const withoutIds = (text: string) => text.replace(/[\da-f-]*\d[\da-f-]*/gi, '#')

const PROBLEMS_SHOWN_MAX = 3

/** Why a call was refused or might be a mistake, with what would work. */
export function describeRefusal(
  { notes, problems, reason }: RequestRecord,
  isShown: (note: string) => boolean = isForCaller,
): string {
  const messages = (problems.length > 0 ? problems : [reason]).map((each) => each?.message)
  const more = messages.length - PROBLEMS_SHOWN_MAX
  const sentences = [
    ...notes.filter(isShown).map((note) => note.replace(/([^.?!])$/, '$1.')),
    ...messages.slice(0, PROBLEMS_SHOWN_MAX),
    more > 0 && `And ${more} more.`,
    reason?.hint,
  ]
  return [...new Set(sentences.filter(Boolean))].join(' ')
}
