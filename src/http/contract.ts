import type { Context } from 'hono'
import * as z from 'zod'
import type { AccessToken } from '../control-api/users.ts'
import { parseDestination } from '../webhooks/destination.ts'
import { whyNoLogin } from '../world/login.ts'
import { fromMicros } from '../world/money.ts'
import type { KycLink, Quote, Session } from '../world/state.ts'
import type { World } from '../world/world.ts'
import type { Call, Env } from './operation.ts'
import type { Services } from './services.ts'

/** Parts of the contract that v1 and v2 share. */

/** An amount in a query; rejects `1e3`, `0x10`, `NaN` and blanks. */
export const DecimalText = () =>
  z
    .string()
    .regex(/^\d{1,16}(\.\d{1,18})?$/, {
      error: 'must be a plain decimal number such as 100 or 99.5',
    })
    .meta({ wire: { type: 'number', minimum: 0 } })

/** The contract's result of a login. */
export function presentToken({ tokens }: Services, session: Session): AccessToken {
  const expiresIn = session.exp - session.iat
  return { accessToken: tokens.issue(session), tokenType: 'Bearer', expiresIn }
}

const NO_QUOTE_ID = 'must be a whole number'

/** The contract says numeric; some clients send the digits as text. */
export const QuoteId = () =>
  z
    .union([z.int(), z.string().regex(/^\d{1,15}$/, { error: NO_QUOTE_ID })], {
      error: NO_QUOTE_ID,
    })
    .transform(Number)
    .meta({ wire: { anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^\\d{1,15}$' }] } })

/** A date. The world checks it, so that the error is worded there. */
export const DateText = () => z.string().meta({ format: 'date' })

/** The page where the user proves who they are, at the address that the caller used. */
export function toKycUrl({ c }: Call, { token }: KycLink): string {
  return `${originOf(c)}${c.env.prefix}/_sandbox/kyc/${token}`
}

/** The base URL of the process: that of the proxy before it, or the address that the caller used. */
export function originOf({ env, req }: Context<Env>): string {
  return env.site ? env.site.origin + env.site.path : new URL(req.url).origin
}

/** Throws for a URL that webhooks may not be sent to under the settings of the world. */
export function assertWebhookUrl({ world, webhookRules }: Services, url: string): void {
  const httpsOnly = world.settings['webhooks.url'] === 'https-only'
  parseDestination(url, { httpsOnly, ...webhookRules })
}

type Costs = Pick<Quote, 'fee' | 'gas' | 'spread'>

/** Shows where the difference between both sides goes, in CAD. */
export const presentBreakdown = ({ fee, gas, spread }: Costs) => ({
  fee: fromMicros(fee),
  gas: fromMicros(gas),
  spread: fromMicros(spread),
  total: fromMicros(fee + gas + spread),
})

/** Returns true if responses have more than the fields that the contract shows. */
export const isFull = ({ settings }: World): boolean => settings['responses.fields'] === 'full'

/** Noted in the journal, because the response hides it. */
export const nothingSent = (world: World, email: string): string =>
  `${whyNoLogin(world, email)}, so no code was sent.`
