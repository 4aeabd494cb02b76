import { fillPath, type HttpResponse, type Json, parseJson, pathOf } from '../client/http.ts'
import { readText } from '../client/read-text.ts'
import {
  CONFIGURATION,
  type ComparedCall,
  FIND_USER,
  type Known,
  LIST_ALL,
  LOG_IN,
  nameCall,
  OF_USER,
  ONE_TRANSACTION,
  SEND_CODE,
  WITH_KEY,
  WITH_TOKEN,
} from './compared-calls.ts'

const RESPONSE_MAX_MS = 30_000

/** Sends a login code, and finds it. */
export type ReadCode = (send: () => Promise<unknown>) => Promise<string | undefined>

export interface SideOptions {
  url: string
  apiKey: string
  /** A verified user, and how its login code is found. */
  user?: { email: string; readCode: ReadCode } | undefined
  fetch(url: string, init: RequestInit): Response | Promise<Response>
}

export interface NotCompared {
  call: string
  why: string
}

/** The provider or the sandbox, with what it has responded. */
export class Side {
  readonly responses = new Map<ComparedCall, HttpResponse>()
  /** Calls without a response that says anything. */
  readonly failed: NotCompared[] = []
  readonly known: Known = {}
  readonly #options: SideOptions

  constructor(options: SideOptions) {
    this.#options = options
  }

  /** Makes the calls, as far as they are possible. */
  async observe(): Promise<void> {
    const { user } = this.#options
    for (const call of WITH_KEY) {
      await this.#see(call)
      // A provider that does not respond to the first call does not respond to the others.
      if (this.responses.size === 0) return
    }
    if (user === undefined) return
    this.known.email = user.email
    const found = await this.#see(FIND_USER)
    this.known.userId = found?.body?.data?.[0]?.id
    if (this.known.userId === undefined) {
      return this.#skip('calls about the user', `${user.email} was not found`)
    }
    for (const call of OF_USER) await this.#see(call)
    if (!(await this.#logIn(user.readCode))) return
    const list = await this.#see(LIST_ALL)
    const items: Json[] = list?.body?.data?.items ?? []
    this.known.txId = items.find(({ leftSideLabel }) => leftSideLabel === 'CAD')?.id
    const more = this.known.txId === undefined ? [] : [ONE_TRANSACTION]
    for (const call of [...WITH_TOKEN, ...more]) await this.#see(call)
  }

  /** True where a webhook is configured. */
  get hasWebhook(): boolean {
    return this.responses.get(CONFIGURATION)?.body?.data?.url !== undefined
  }

  async #logIn(readCode: ReadCode): Promise<boolean> {
    try {
      this.known.code = await readCode(() => this.#see(SEND_CODE))
      if (this.known.code === undefined) throw new Error('no login code was found')
      const response = await this.#see(LOG_IN)
      this.known.token = response?.body?.data?.accessToken
      if (this.known.token === undefined) throw new Error('the login returned no token')
      return true
    } catch (error) {
      this.#skip('calls with a token', reasonOf(error))
      return false
    }
  }

  #skip(call: string, why: string): void {
    this.failed.push({ call, why })
  }

  async #see(call: ComparedCall): Promise<HttpResponse | undefined> {
    try {
      const response = await this.send(call)
      const { status } = response
      if (status === 429 || status >= 500) this.#skip(nameCall(call), `it responded with ${status}`)
      else this.responses.set(call, response)
      return response
    } catch (error) {
      this.#skip(nameCall(call), reasonOf(error))
      return undefined
    }
  }

  async send({ route, path, query, body, key, token }: ComparedCall): Promise<HttpResponse> {
    const { url, apiKey, fetch } = this.#options
    const [method = '', template = ''] = route.split(' ')
    const sent = body === undefined ? undefined : JSON.stringify(body(this.known))
    const tokens = { valid: this.known.token, invalid: 'no.such.token' }
    const request = {
      method,
      path: fillPath(template, path?.(this.known) ?? {}),
      query: query?.(this.known),
    }
    const response = await fetch(url + pathOf(request), {
      method,
      headers: {
        accept: 'application/json',
        // A connection that is kept may be closed by the other side just when it is used again.
        connection: 'close',
        ...(key !== 'none' && { 'x-api-key': key === 'wrong' ? 'no-such-key' : apiKey }),
        ...(token && { authorization: `Bearer ${tokens[token]}` }),
        ...(sent !== undefined && { 'content-type': 'application/json' }),
      },
      ...(sent !== undefined && { body: sent }),
      redirect: 'manual',
      signal: AbortSignal.timeout(RESPONSE_MAX_MS),
    })
    const headers = Object.fromEntries(response.headers)
    return { status: response.status, headers, body: parseJson(await readText(response)) }
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `no response within ${RESPONSE_MAX_MS / 1_000} s`
  const { cause } = error
  const { code, message = error.message } = (cause ?? {}) as { code?: string; message?: string }
  return code ?? message
}
