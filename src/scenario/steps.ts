import { basename } from 'node:path'
import type { ControlClient } from '../client/control.ts'
import type { HttpClient, HttpRequest, HttpResponse } from '../client/http.ts'
import type { PlayEvent, PlayedDelivery, PlayedStep } from '../control-api/plays.ts'
import type { DeliveryRecord } from '../control-api/wire.ts'
import { realTime } from '../real-time.ts'
import { Mismatch } from './expect.ts'
import { locate } from './load.ts'
import { SETTING_UP } from './types.ts'

interface StepsOptions {
  /** Client of the world, for the calls of the scenario. */
  http: Pick<HttpClient, 'send'>
  /** Client whose calls are no part of a step. */
  control: ControlClient
  emit(event: PlayEvent): void
  /** The scenario, whose lines are named beside the steps. */
  file: string
}

/** Calls after which the deliveries so far are no longer listed. */
const FORGETTING = /^\/_sandbox\/(reset|state)$/

const never = () => new Promise<never>(() => undefined)

/** The steps of a play, with the webhooks that are sent in each. */
export class Steps {
  readonly all: PlayedStep[] = []
  /** Calls that the scenario has made. */
  calls = 0
  readonly #options: StepsOptions
  #step: PlayedStep
  /** Source line of the step, as `buy-completes.js:12`. */
  #at: string
  #passed = Promise.resolve()
  #cursor: string | undefined
  #callsUnderWay = 0
  #isEnded = false

  constructor(options: StepsOptions) {
    this.#options = options
    this.#at = basename(options.file)
    this.#step = this.#open(SETTING_UP)
  }

  /** The step that is under way, and its line. */
  present(): { step: string; at: string } {
    return { step: this.#step.title, at: this.#at }
  }

  /** Begins a step: the one before has passed, unless a call of it is still running. */
  begin(title: string): void {
    if (this.#isEnded) return
    this.#assertNoneUnderWay()
    const before = this.#step
    this.#at = locate(new Error(), this.#options.file)
    this.#passed = this.#passed.then(() => this.#pass(before))
    // Whatever comes next awaits it.
    this.#passed.catch(() => undefined)
    this.#step = this.#open(title)
  }

  async finish(): Promise<void> {
    this.#assertNoneUnderWay()
    await this.#passed
    await this.#pass(this.#step)
  }

  /** Ends the play: a scenario that goes on regardless gets no response any more. */
  async end(): Promise<void> {
    this.#isEnded = true
    await this.#passed
    if (this.calls > 0) await this.#collect(this.#step)
  }

  /** Makes a call of the scenario. */
  async send(request: HttpRequest): Promise<HttpResponse> {
    this.calls++
    this.#callsUnderWay++
    try {
      const response = await this.#send(request)
      if (!this.#isEnded) return response
    } catch (error) {
      if (!this.#isEnded) throw error
    } finally {
      this.#callsUnderWay--
    }
    return await never()
  }

  async #send(request: HttpRequest): Promise<HttpResponse> {
    // A sandbox of this process responds without a pause, and the time limit needs one.
    await realTime.nextTurn()
    if (this.#isEnded) return await never()
    // Each delivery belongs to one step, so those of the step before are read first.
    await this.#passed
    const isForgetting = request.method !== 'GET' && FORGETTING.test(request.path)
    if (isForgetting && this.calls > 1) await this.#collect(this.#step)
    return await this.#options.http.send(request)
  }

  /** Adds what was sent to a step, once nothing is in flight. */
  async #collect(step: PlayedStep): Promise<void> {
    const { control } = this.#options
    await control.call('POST', '/webhooks/drain')
    for (let more = true; more; ) {
      const query = { after: this.#cursor }
      const page = await control.call<DeliveryPage>('GET', '/webhooks/deliveries', { query })
      step.deliveries.push(...page.deliveries.map(toPlayed))
      this.#cursor = page.cursor
      more = page.more
    }
  }

  /** Webhooks that a receiver did not acknowledge, one line each. */
  findUnacknowledged(receiverUrl: string): string[] {
    return this.all
      .flatMap(({ deliveries }) => deliveries)
      .filter(({ url, outcome }) => url === receiverUrl && outcome !== 'delivered')
      .map(({ id, event, response, error }) => {
        const actual = response ? `responded with ${response.status}` : (error ?? 'not sent')
        return `${event} ${id}: ${actual}`
      })
  }

  #assertNoneUnderWay(): void {
    if (this.#callsUnderWay === 0) return
    throw new Mismatch('A call was still running when the step ended: is an await missing?')
  }

  #open(title: string): PlayedStep {
    const opened = { title, deliveries: [] }
    this.all.push(opened)
    this.#options.emit({ kind: 'began', title, at: this.#at })
    return opened
  }

  async #pass(done: PlayedStep): Promise<void> {
    await this.#collect(done)
    this.#options.emit({ kind: 'passed', step: done })
  }
}

interface DeliveryPage {
  deliveries: DeliveryRecord[]
  cursor: string
  more: boolean
}

const toPlayed = (delivery: DeliveryRecord): PlayedDelivery => {
  const { id, hook, type, status, url, outcome, error, response } = delivery
  return {
    id,
    event: hook ?? type,
    status,
    url,
    outcome,
    error,
    response: response && { status: response.status },
  }
}
