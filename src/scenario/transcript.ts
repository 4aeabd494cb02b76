import { basename } from 'node:path'
import type { ControlClient } from '../client/control.ts'
import { SandboxError } from '../client/error.ts'
import { type HttpClient, type HttpRequest, type Json, parseJson, pathOf } from '../client/http.ts'
import type { PlayEvent, PlayedCall, PlayedDelivery, PlayedStep } from '../control-api/plays.ts'
import { Mismatch } from './expect.ts'
import { locate } from './load.ts'
import type { createMask } from './mask.ts'
import { SETTING_UP } from './types.ts'

type Mask = ReturnType<typeof createMask>

interface TranscriptOptions {
  mask: Mask
  /** Client whose calls are not part of the transcript. */
  unrecorded: ControlClient
  emit(event: PlayEvent): void
  /** The scenario, whose lines are named beside the steps. */
  file: string
  /** Endpoint of the integrator, whose URL stays as it is even where it is the sandbox's. */
  webhookUrl: string | null
}

const FORGETTING = /^\/_sandbox\/(reset|state)$/
const RESTORING = /^\/_sandbox\/snapshots\/[^/]+\/restore$/

/** The steps of a scenario, with the calls that it makes and the webhooks that are sent. */
export class Transcript {
  readonly steps: PlayedStep[] = []
  readonly #http: Pick<HttpClient, 'send'>
  readonly #options: TranscriptOptions
  #cursor: string | undefined
  /** Source line of the step, as `buy-completes.js:12`. */
  #at: string
  #passed = Promise.resolve()
  #step: PlayedStep
  #callsUnderWay = 0

  constructor(http: Pick<HttpClient, 'send'>, options: TranscriptOptions) {
    this.#http = http
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
    this.#assertNoneUnderWay()
    const before = this.#step
    this.#at = locate(new Error(), this.#options.file)
    this.#passed = this.#passed.then(() => this.#pass(before))
    this.#step = this.#open(title)
  }

  async finish(): Promise<void> {
    this.#assertNoneUnderWay()
    await this.#passed
    await this.#pass(this.#step)
  }

  async send(request: HttpRequest) {
    this.#callsUnderWay++
    try {
      return await this.#record(request)
    } finally {
      this.#callsUnderWay--
    }
  }

  /** Adds what was sent to the step that is under way, once nothing is in flight. */
  async collect(): Promise<void> {
    await this.#collectFor(this.#step)
  }

  /** Webhooks that a receiver did not acknowledge, one line each. */
  findUnacknowledged(url: string): string[] {
    return this.steps
      .flatMap(({ deliveries }) => deliveries)
      .filter((delivery) => delivery.url === url && delivery.outcome !== 'delivered')
      .map(({ request, hook, outcome, response, error }) => {
        const actual = response ? `responded with ${response.status}` : (error ?? 'not sent')
        return `${hook ?? request.body?.type} ${request.body?.id ?? ''}: ${outcome}, ${actual}`
      })
  }

  #assertNoneUnderWay(): void {
    if (this.#callsUnderWay === 0) return
    throw new Mismatch('A call was still running when the step ended: is an await missing?')
  }

  #open(title: string): PlayedStep {
    const opened = { title, calls: [], deliveries: [] }
    this.steps.push(opened)
    this.#options.emit({ kind: 'began', title, at: this.#at })
    return opened
  }

  async #pass(done: PlayedStep): Promise<void> {
    await this.#collectFor(done)
    this.#options.emit({ kind: 'passed', step: done })
  }

  async #record(request: HttpRequest) {
    // Each delivery belongs to one step, so those of the step before are read first.
    await this.#passed
    const isReplacing = this.#mayReplaceWorld(request)
    if (isReplacing) await this.#collectFor(this.#step)
    const { mask } = this.#options
    const { method, headers = {}, body = null } = request
    const sent: PlayedCall['request'] = { method, path: pathOf(request), headers, body }
    // Calls stand in the order in which they were made, not in that of their responses.
    const recorded: PlayedCall = { request: mask(sent), response: null }
    this.#step.calls.push(recorded)
    const response = await this.#http.send(request)
    // A world that forgot its deliveries counts them from the first again.
    if (isReplacing && response.status < 300 && FORGETTING.test(request.path)) {
      this.#cursor = undefined
    }
    recorded.response = mask(response)
    return response
  }

  /** Recognises a call after which the deliveries so far are no longer listed. */
  #mayReplaceWorld({ method, path }: HttpRequest): boolean {
    const hasBegun = this.steps.length > 1 || this.#step.calls.length > 0
    return hasBegun && method !== 'GET' && (FORGETTING.test(path) || RESTORING.test(path))
  }

  async #collectFor(done: PlayedStep): Promise<void> {
    await this.#options.unrecorded.call('POST', '/webhooks/drain')
    for (;;) {
      const page = await this.#readPage()
      this.#cursor = page.cursor
      done.deliveries.push(...page.deliveries.map((row: Json) => this.#toPlayed(row)))
      if (!page.more) return
    }
  }

  #toPlayed(row: Json): PlayedDelivery {
    const { mask, webhookUrl } = this.#options
    const played = toPlayed(row, mask)
    return row.url === webhookUrl ? { ...played, url: webhookUrl } : played
  }

  /** The cursor is ahead if something other than a call of the scenario has reset its world. */
  async #readPage(): Promise<Json> {
    try {
      const query = { after: this.#cursor }
      return await this.#options.unrecorded.call('GET', '/webhooks/deliveries', { query })
    } catch (error) {
      if (this.#cursor === undefined || !(error instanceof SandboxError)) throw error
      this.#cursor = undefined
      return this.#readPage()
    }
  }
}

function toPlayed(row: Json, mask: Mask): PlayedDelivery {
  const { id, generation, hook, url, outcome, reason, error, request, response } = row
  return mask({
    id,
    generation,
    hook,
    outcome,
    reason,
    url,
    error,
    request: { headers: request.headers, body: parseJson(request.body) },
    response: response && { status: response.status },
  })
}
