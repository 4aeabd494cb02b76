import * as z from 'zod'
import { Worlds, type WorldsOptions } from '../../src/host/worlds.ts'
import { controlOperations } from '../../src/http/control/index.ts'
import { appOf, NOON, type TestApp } from '../helpers/app.ts'

/** What every refusal of the control API looks like (RFC 9457, with a stable code). */
const Problem = z.strictObject({
  type: z.literal('about:blank'),
  title: z.string().min(1),
  status: z.int(),
  code: z.string().regex(/^[a-z][a-z0-9-]*$/),
  detail: z.string().min(1),
  errors: z.array(z.strictObject({ field: z.string(), message: z.string() })).min(1),
  from: z.string().optional(),
  allowed: z.array(z.string()).optional(),
})
export type Problem = z.output<typeof Problem>

// biome-ignore lint/suspicious/noExplicitAny: the strict shape of each response is checked at run time
type Json = any

/** The control API of one world; responses pass through the strict shape of their operation. */
export interface Control {
  readonly app: TestApp
  get(path: string): Promise<Json>
  post(path: string, body?: unknown): Promise<Json>
  put(path: string, body?: unknown): Promise<Json>
  patch(path: string, body?: unknown): Promise<Json>
  delete(path: string): Promise<Json>
  /** A refusal, parsed; fails on anything else, a 5xx included. */
  refused(method: string, path: string, sent?: Sent): Promise<Problem>
}

export interface Sent {
  body?: unknown
  /** Sent as it is. */
  text?: string
  headers?: Record<string, string>
}

/** A world with a frozen clock at noon and its control API, which closes when it is disposed of. */
export function openControl(options: WorldsOptions = {}): Control & Opened {
  const worlds = new Worlds({ fixture: 'verified-user', clock: NOON, ...options })
  const fetch = async (request: Request) => worlds.fetch(request)
  const app = appOf(fetch, '', () => worlds.close())
  return {
    ...controlOf(app),
    open: (path, init) => fetch(new Request(`${app.base}/_sandbox${path}`, init)),
    [Symbol.asyncDispose]: () => app.close(),
  }
}

export interface Opened extends AsyncDisposable {
  /** Any call, its response unread. */
  open(path: string, init?: RequestInit): Promise<Response>
}

export function controlOf(app: TestApp): Control {
  return {
    app,
    get: (path) => call('GET', path),
    post: (path, body = {}) => call('POST', path, body),
    put: (path, body = {}) => call('PUT', path, body),
    patch: (path, body = {}) => call('PATCH', path, body),
    delete: (path) => call('DELETE', path),
    async refused(method, path, { body, text, headers } = {}) {
      const sent = text ?? (body === undefined ? undefined : JSON.stringify(body))
      const response = await app.send(`/_sandbox${path}`, {
        method,
        headers: { ...(method === 'GET' ? {} : JSON_TYPE), ...headers },
        ...(sent !== undefined && { body: sent }),
      })
      expectProblem(response.headers.get('content-type'), response.status, response.text)
      return Problem.parse(JSON.parse(response.text))
    },
  }

  async function call(method: string, path: string, body?: unknown): Promise<Json> {
    const response = await app.send(`/_sandbox${path}`, {
      method,
      headers: JSON_TYPE,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (response.status !== 200)
      throw new Error(`${method} ${path}: ${response.status} ${response.text}`)
    return shapeOf(method, path).parse(JSON.parse(response.text))
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }

function expectProblem(type: string | null, status: number, text: string) {
  if (type === 'application/problem+json' && status >= 400 && status < 500) return
  throw new Error(`No refusal but ${status} ${type}: ${text}`)
}

/** The response that the operation behind a path promises. */
function shapeOf(method: string, path: string): z.ZodType {
  const plain = `/_sandbox${path.replace(/\?.*$/, '')}`
  const fits = controlOperations.filter(
    (operation) => operation.method === method && toPattern(operation.path).test(plain),
  )
  const [exact] = fits.sort((a, b) => params(a.path) - params(b.path))
  if (!exact?.response) throw new Error(`${method} ${path} promises no shape.`)
  return exact.response()
}

const toPattern = (path: string) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`)
const params = (path: string) => path.split(':').length
