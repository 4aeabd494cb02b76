import type { Json } from '../../client/http.ts'
import { formatDuration } from '../../world/duration.ts'
import { isFieldName } from '../fields.ts'
import type { RecordedCall, RecordingEntry } from '../recording.ts'
import { dataOf, queryOf } from './call-parts.ts'

/** Values that a recording itself suggests for settings that are numbers, lengths or names. */
export function guessValues(entries: readonly RecordingEntry[]): Map<string, Set<string>> {
  const guesses = new Map<string, Set<string>>()
  const add = (id: string, value: string | number) => {
    guesses.set(id, (guesses.get(id) ?? new Set()).add(String(value)))
  }
  const created = new Map<string, { at: number; side: 'buy' | 'sell' }>()
  for (const entry of entries) {
    if (entry.kind === 'webhook') guessFromWebhook(entry.request, Date.parse(entry.at))
    else if (entry.response !== null) guessFromCall(entry)
  }
  for (const id of COUNTED) for (let n = 1; n <= COUNT_MAX; n++) add(id, n)
  return guesses

  function guessFromCall(call: RecordedCall) {
    const data = dataOf(call)
    const at = Date.parse(call.at)
    const untilExpiry = Date.parse(data?.expiresAt) - at
    const breakdown = data?.breakdown
    switch (call.operation) {
      case 'createQuote':
        addLength('quotes.ttl', untilExpiry)
        if (breakdown && data.leftSideLabel === 'CAD') guessPrice(data)
        break
      case 'createKycLink':
        addLength('kyc.linkTtl', untilExpiry)
        break
      case 'verifyLoginCode':
        addLength('login.token.ttl', Number(data?.expiresIn) * 1000)
        break
      case 'getLimits':
        guessLimits(data?.leftSideCurrency?.CAD)
        break
      case 'listTransactions':
        guessPage(call, data)
        break
      case 'createTransaction':
        if (data?.id)
          created.set(data.id, { at, side: data.leftSideLabel === 'CAD' ? 'buy' : 'sell' })
    }
  }

  function addLength(id: string, ms: number) {
    if (Number.isFinite(ms) && ms > 0) add(id, formatDuration(Math.round(ms)))
  }

  function guessPrice({ leftSideValue, rightSideLabel, breakdown }: Json) {
    const { fee, gas, spread } = breakdown
    add('quotes.fee', round(fee / leftSideValue))
    add('quotes.spread', round(spread / (leftSideValue - fee - gas)))
    const chain = String(rightSideLabel).split('-')[1] ?? 'ETH'
    const id = { ETH: 'ethereum', SOL: 'solana' }[chain] ?? 'other'
    add(`quotes.gas.${id}`, gas)
  }

  function guessLimits(bounds: Json) {
    if (typeof bounds?.minimum === 'number') add('limits.selfServeMinimum', bounds.minimum)
    if (typeof bounds?.maximum === 'number') add('limits.maximum', bounds.maximum)
  }

  function guessPage(call: RecordedCall, data: Json) {
    if (typeof data?.limit !== 'number') return
    const isAsked = queryOf(call, 'limit') !== undefined
    add(isAsked ? 'transactions.list.maximum' : 'transactions.list.limit', data.limit)
  }

  function guessFromWebhook({ headers, body }: RecordedCall['request'], at: number) {
    const stamp = Object.keys(headers).find((name) => name.endsWith('-timestamp'))
    if (stamp) add('names.headerPrefix', stamp.slice(0, -'-timestamp'.length))
    const payload = body?.payload ?? body ?? {}
    const renamed = Object.keys(payload).find((name) => !isFieldName(name))
    if (renamed) add('names.securityAnswerField', renamed)
    const transaction = created.get(payload.transactionId ?? payload.txId)
    if (transaction === undefined || payload.status !== 'expired') return
    const id = transaction.side === 'buy' ? 'transactions.buyWindow' : 'transactions.sellWindow'
    addLength(id, at - transaction.at)
    const lag = (at - transaction.at) % HOUR_MS
    addLength('transactions.expiryLag', lag)
  }
}

const HOUR_MS = 3_600_000
const COUNT_MAX = 10
/** Small whole numbers that nothing in a recording names. */
const COUNTED = ['limits.active', 'limits.cancelled', 'login.code.attempts']

/** Shares are given with few decimals. */
const round = (share: number) => Math.round(share * 10_000) / 10_000
