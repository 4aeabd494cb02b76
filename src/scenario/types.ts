import type { Api, LoggedIn } from '../client/api.ts'
import type { Json } from '../client/http.ts'
import type { DeliveryRecord } from '../control-api/wire.ts'

/**
 * A script of what the outside world does, and what must follow. A scenario is a JavaScript module
 * that imports nothing and whose default export is this.
 *
 * @example
 * /** @type {import('ramp-sandbox').Scenario} *\/
 * export default {
 *   title: 'A buy expires after an hour',
 *   description: 'Nobody pays, so the window runs out.',
 *   async play({ step, expect, control, login }) {
 *     step('Alice orders USDC')
 *     const alice = await login('alice@example.com')
 *     const { data } = await alice.buy({ cad: 100 })
 *
 *     step('An hour passes')
 *     await control.post('/clock/advance', { by: '1h' })
 *     const later = await login('alice@example.com')
 *     expect(await later.get(`/v2/transactions/${data.id}`), { body: { data: { status: 'expired' } } })
 *   },
 * }
 */
export interface Scenario {
  /** What happens, in one line. */
  title: string
  /** Description for an integrator. */
  description: string
  /**
   * The world it starts in: a fixture's name, the path of its file beside the scenario, or the
   * fixture itself. Default `verified-user`, where alice@example.com is ready to trade.
   */
  fixture?: string | object
  /** The instant at which the clock stands. Default 2026-07-01T12:00:00Z. */
  clock?: string
  play(stage: Stage): Promise<void>
}

/** Stage of a scenario: a fresh world with a frozen clock. */
export interface Stage {
  /** Begins a step with this title; the previous step counts as passed. */
  step(title: string): void
  /**
   * Fails the step unless `actual` is as expected. Only the fields that `expected` names are
   * compared, a list must have the same length, and a regular expression must match the text.
   */
  expect(actual: unknown, expected: unknown, what?: string): void
  /** The provider's API, called with the API key of the first integrator. */
  api: Api
  /** The control API: what the outside world does. */
  control: ControlApi
  /** Logs a verified user in with the code from the inbox; `by` has the key of another integrator. */
  login(email: string, by?: Api): Promise<LoggedIn>
  /** Webhooks that the integrator receives. */
  webhooks: StageWebhooks
}

/**
 * Calls to the control API; paths are under `/_sandbox`, such as `/clock/advance`. They return
 * the JSON of the response, and an error fails the step.
 */
export interface ControlApi {
  get(path: string, query?: Readonly<Record<string, string | number>>): Promise<Json>
  post(path: string, body?: object): Promise<Json>
  put(path: string, body?: object): Promise<Json>
  patch(path: string, body?: object): Promise<Json>
  delete(path: string): Promise<Json>
}

export interface StageWebhooks {
  /** URL for the integrator's v2 events; configured before the scenario begins. */
  readonly url: string
  /** Secret that they are signed with. */
  readonly secret: string
  /** Every webhook about a transaction or user, by its id, oldest first, once all have been sent. */
  about(ref: string): Promise<SentWebhook[]>
}

/** Webhook as it was sent. */
export interface SentWebhook {
  readonly generation: DeliveryRecord['generation']
  /** Name of the legacy webhook; null for v2. */
  readonly hook: string | null
  readonly outcome: string
  readonly headers: Readonly<Record<string, string>>
  /** The exact body. */
  readonly text: string
  /** The body, parsed. */
  readonly body: Json
}

/** The step before the first one of the scenario. */
export const SETTING_UP = 'A fresh world'
