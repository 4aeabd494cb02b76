import type { DeliveryRecord } from '../../http/control/wire.ts'
import { type Described, formatElapsed } from './line.ts'

const WIDTH = 28

/** What a line shows of a delivery, read from the world or from the control API. */
export type ShownDelivery = Pick<
  DeliveryRecord,
  | 'generation'
  | 'hook'
  | 'type'
  | 'outcome'
  | 'durationMs'
  | 'url'
  | 'reason'
  | 'error'
  | 'repeatOf'
> & { response: { status: number } | null }

/** `→ transaction.update complete  200  12 ms  alice@example.com  http://localhost:3000/hooks` */
export function describeWebhook(
  delivery: ShownDelivery,
  { status, email }: { status: string; email: string },
): Described {
  const { generation, hook, type, outcome, url, reason, error, repeatOf, response } = delivery
  const isSent = url !== null && outcome !== 'suppressed'
  const what = `${generation === 'v1' ? `v1 ${hook}` : type} ${shortenStatus(status)}`
  const again = repeatOf === null ? '' : ' again'
  const name = `${isSent ? '→' : '·'} ${what}${again}`.padEnd(WIDTH)
  if (!isSent) return { pieces: [['dim', `${name}  not sent  ${email}  ${reason ?? ''}`]] }
  const isDelivered = outcome === 'delivered'
  return {
    pieces: [
      ['cyan', name],
      [isDelivered ? 'green' : 'red', `  ${response?.status ?? outcome}`],
      ['dim', formatElapsed(delivery.durationMs)],
      `  ${email}`,
      ['dim', `  ${url}`],
    ],
    problem: [isDelivered ? null : error, reason].filter(Boolean).join(' '),
  }
}

export const shortenStatus = (status: string) => status.replace(' request money transfer', '')
