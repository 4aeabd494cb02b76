import type {
  DeliveryRecord,
  DueTask,
  EventRecord,
  RequestRecord,
  SignatureExplanation,
} from '../../control-api/wire.ts'
import { isBad } from '../lib/act.ts'
import { world } from '../lib/page.ts'
import { Badge, type Tone } from '../lib/parts.tsx'

/** `GET /v2/quotes?leftSideLabel=CAD`, below the world's base URL. */
export const formatCall = (call: Pick<RequestRecord, 'method' | 'url'>): string =>
  `${call.method} ${formatPath(call)}`

export function formatPath({ url }: Pick<RequestRecord, 'url'>): string {
  const { pathname, search } = new URL(url)
  const below = world.prefix.slice(world.site.length)
  return `${pathname.startsWith(below) ? pathname.slice(below.length) : pathname}${search}`
}

/** `transaction.update: pending` */
export const formatDelivery = ({ type, generation, hook, status }: DeliveryRecord): string =>
  `${generation === 'v1' ? `v1 ${hook ?? ''}` : type}: ${status.replace(' request money transfer', '')}`

/** `Expire transaction` */
export const describeTask = ({ kind }: DueTask): string =>
  kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('-', ' ').replace('kyc', 'KYC')

/** A record, because it does not compile when a type is added. */
const TYPES: Readonly<Record<EventRecord['type'], true>> = {
  'transaction.update': true,
  'user.update': true,
}
export const EVENT_TYPES = Object.keys(TYPES)

/** Returns true if an event had a URL to go to. */
export const wasSent = ({ url, outcome }: DeliveryRecord): boolean =>
  url !== null || outcome !== 'suppressed'

/** Good is what its receiver should have done. */
const toneOf = (delivery: DeliveryRecord): Tone | undefined => {
  if (isBad(delivery)) return 'bad'
  return delivery.outcome === 'rejected' ? 'quiet' : undefined
}

/** Outcome of an attempt; a rejected one shows the response, and a short one whatever came back. */
export const Outcome = ({ of, isShort }: { of: DeliveryRecord; isShort?: boolean }) => {
  const { outcome, response } = of
  const isShown = response && (isShort || outcome === 'rejected')
  const text = isShown ? `${isShort ? '' : 'HTTP '}${response.status}` : outcome
  return <Badge status={text} tone={toneOf(of) ?? (isShort && response ? 'good' : undefined)} />
}

/** Marks a test, a repetition, and what was changed on purpose. */
export const Tags = ({ of }: { of: DeliveryRecord }) => (
  <>
    {of.tags.map((tag) => (
      <span key={tag} class="tag">
        {tag}
      </span>
    ))}
  </>
)

/** Mistake of the receiver, if there was one. */
export const problemOf = (delivery: DeliveryRecord): string | undefined =>
  isBad(delivery) ? delivery.problem?.message : undefined

/** `250 CAD, alice@example.com`: what the payload of a delivery is about. */
export function formatSubject({ request }: DeliveryRecord): string {
  const { leftSideValue, leftSideLabel, email } = readPayload(request.body)
  const amount = leftSideValue === undefined ? '' : `${leftSideValue} ${leftSideLabel}`
  return [amount, email].filter(Boolean).join(', ')
}

/** Status that a webhook reports; v2 has an envelope around it. */
function readPayload(body: string): Readonly<Record<string, unknown>> {
  try {
    const { payload, ...bare } = JSON.parse(body)
    return payload ?? bare
  } catch {
    return {}
  }
}

/** Returns true if a later attempt succeeded and this one did not. */
export const wasRepaired = (row: DeliveryRecord): boolean => isBad(row) && !row.failed

export const Validity = ({ of: { valid } }: { of: SignatureExplanation }) => (
  <Badge status={valid ? 'valid' : 'invalid'} tone={valid ? 'good' : 'bad'} />
)
