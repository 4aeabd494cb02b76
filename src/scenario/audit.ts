import { type ControlClient, readAll } from '../client/control.ts'
import { createEvents } from '../client/events.ts'
import type { RequestRecord, TransactionRecord } from '../control-api/wire.ts'

interface AuditedTransaction {
  id: string
  status: string
  leftSideLabel: string
  leftSideValue: number
}

/** Transactions and logins that a story made, with which the integrator's own state must agree. */
export interface Audit {
  transactions: readonly AuditedTransaction[]
  /** How many login codes were exchanged. */
  logins: number
}

/** Audit of a whole story, and of what was made by the end of each step that has ended. */
export interface StoryAudit {
  steps: readonly { title: string; audit: Audit }[]
  end: Audit
}

/** A story that has ended, as far as its calls of the API are known. */
export interface CallsOfStory {
  /** Audit of the world as the story found it. */
  before: Audit
  /** Titles of the steps that have ended. */
  titles: readonly string[]
  /** Step of each call, by its id in the request journal. */
  steps: ReadonlyMap<string, number>
}

type Client = Pick<ControlClient, 'call'>

/** Reads all transactions and logins of a world. */
export async function auditWorld(control: Client): Promise<Audit> {
  const [transactions, logins] = await Promise.all([listTransactions(control), listLogins(control)])
  return { transactions, logins: logins.length }
}

/** Reads the transactions and logins that a story added, each by the step of its call. */
export async function auditStory(control: Client, story: CallsOfStory): Promise<StoryAudit> {
  const { before, titles, steps } = story
  const known = new Set(before.transactions.map(({ id }) => id))
  const [all, logins, creators] = await Promise.all([
    listTransactions(control),
    listLogins(control),
    findCreators(control),
  ])
  const transactions = all.filter(({ id }) => !known.has(id))
  const isMadeBy = (step: number, callId = '') => (steps.get(callId) ?? titles.length) <= step
  const auditStep = (step: number): Audit => ({
    transactions: transactions.filter(({ id }) => isMadeBy(step, creators.get(id))),
    logins: logins.filter(({ id }) => isMadeBy(step, id)).length,
  })
  return {
    steps: titles.map((title, step) => ({ title, audit: auditStep(step) })),
    end: { transactions, logins: logins.length - before.logins },
  }
}

async function listTransactions(control: Client): Promise<AuditedTransaction[]> {
  const list = { field: 'items' }
  const all = await readAll<TransactionRecord>(control.call, '/transactions', list)
  return all.map(({ id, status, leftSideLabel, leftSideValue }) => {
    return { id, status, leftSideLabel, leftSideValue }
  })
}

const listLogins = ({ call }: Client) =>
  readAll<RequestRecord>(call, '/requests', {
    field: 'requests',
    query: { operation: 'verifyLoginCode', refused: false },
  })

/** Finds what each transaction's first event was caused by. */
async function findCreators(control: Client): Promise<Map<string, string | undefined>> {
  const creators = new Map<string, string | undefined>()
  for (const { ref, cause } of await createEvents(control).list({ type: 'transaction.update' })) {
    if (!creators.has(ref)) creators.set(ref, cause?.id)
  }
  return creators
}
