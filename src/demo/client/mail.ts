import type { Json } from '../../client/http.ts'
import { networkOf } from './coins.ts'
import { type Mail, state } from './store.ts'
import { getsOf, paysOf } from './transactions.ts'
import { isFrench, type Params, t, type WordKey } from './words.ts'

type Words = readonly [subject: WordKey, text: WordKey]

/** Mails in the demo's own words, for pages that are not in English. */
const WORDS: Readonly<Record<string, Words>> = {
  'login-code': ['Login code', 'Your login code is {code}.'],
  'kyc-result': ['Verify your identity', 'Open the wallet to see the result of your check.'],
  'money-request': [
    'Money request',
    'You have a request for {pays}. To pay, approve request {reference} at your bank.',
  ],
  'deposit-instructions': [
    'Send your coins',
    'To complete your sale, send exactly {pays} on {network} to {address}.',
  ],
  'bank-refusal': [
    'The bank declined',
    'Your bank declined to pay request {reference}. You can try again until it expires.',
  ],
  payout: [
    'You received an e-transfer',
    'We sent you {gets} by e-transfer. To deposit it, give your bank this security answer: {code}',
  ],
  'transaction-closed': [
    'This order has expired',
    'Nothing arrived in time, so order {reference} has expired.',
  ],
}

/** The mail as it was sent, or in the language of the page. */
export function toMail({ kind, subject, text, code, ref, sentAt }: Json): Mail {
  const at = Date.parse(sentAt)
  const words = WORDS[kind]
  if (!isFrench || !words) return { subject, text, sentAt: at }
  const about = [state.transaction, ...state.transactions].find((row) => row?.id === ref)
  const params: Params = { code: code ?? '', ...(about && valuesOf(about)) }
  return { subject: t(words[0]), text: t(words[1], params), sentAt: at }
}

const valuesOf = (row: Json): Params => ({
  pays: paysOf(row),
  gets: getsOf(row),
  reference: row.rmtId ?? '',
  network: networkOf(row.leftSideLabel),
  address: row.depositAddress || state.orders[row.id]?.depositAddress || '',
})
