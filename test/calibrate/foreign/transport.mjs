import { randomBytes } from 'node:crypto'
import { createServer, STATUS_CODES } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { Refusal } from './refusals.mjs'

const BODY_MAX = 6_000_000
const compress = promisify(gzip)

/** A generator of numbers from 0 to 1 that a seed decides. */
export function createRandom(seed) {
  let state = [...String(seed)].reduce(
    (sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0),
    7,
  )
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** One failing request in each run of `every`, at a place that the seed decides. */
function createFailures(every, random) {
  let [count, failing] = [0, -1]
  return () => {
    if (every <= 0) return false
    if (count % every === 0) failing = count + Math.floor(random() * every)
    return count++ === failing
  }
}

/** Opens a server that responds as `respond` decides, after a while and now and then with a 500. */
export function createTransport({ respond, seed, latencyMs: [least, most], failEvery, statuses }) {
  const fails = createFailures(failEvery, createRandom(`${seed} failures`))
  const random = createRandom(`${seed} latency`)

  async function handle(request, response) {
    const call = toCall(request)
    const latency = least + random() * (most - least)
    const failing = fails()
    if (latency > 0) await wait(latency)
    try {
      call.text = await readText(request)
      if (failing) throw new Refusal('internal')
      await send(call, response, await respond(call))
    } catch (error) {
      await send(call, response, toError(call, error, statuses))
    }
  }

  return createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
}

function toCall(request) {
  const url = new URL(request.url, 'http://provider')
  const { method, headers } = request
  const requestId = `req_${randomBytes(9).toString('base64url')}`
  return { method, headers, requestId, path: url.pathname, query: url.searchParams, text: '' }
}

async function readText(request) {
  const chunks = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size <= BODY_MAX) chunks.push(chunk)
  }
  if (size > BODY_MAX) throw new Refusal('too_large')
  return Buffer.concat(chunks).toString('utf8')
}

function toError({ path, requestId }, error, statuses) {
  const refusal =
    error instanceof Refusal ? error : new Refusal('internal', { message: error.message })
  const { problems, headers } = refusal
  const [{ message, code }] = problems
  const status = statuses[code] ?? refusal.status
  if (path.startsWith('/v2/')) {
    return { status, headers, body: { requestId, success: false, errors: problems } }
  }
  // v1 knows no 422.
  const legacy = status === 422 ? 400 : status
  const declined = { requestId, code, message, status: 'Request was declined.' }
  return { status: legacy, headers, body: declined }
}

/** The body of a success: v2 has an envelope, v1 has none. */
export function toSuccess({ path, requestId }, data) {
  return path.startsWith('/v2/') ? { requestId, success: true, data } : { ...data, requestId }
}

async function send({ headers: asked, requestId }, response, { status, headers, body, html }) {
  let bytes = Buffer.from(html ?? (body === undefined ? '' : JSON.stringify(body)))
  const sent = {
    date: new Date().toUTCString(),
    server: 'harbour-edge',
    'x-request-id': requestId,
    'set-cookie': `hb_route=${requestId.slice(-6)}; Path=/; HttpOnly; SameSite=Lax`,
    'cache-control': 'no-store',
    ...headers,
  }
  if (status !== 204) {
    sent['content-type'] = html === undefined ? 'application/json' : 'text/html; charset=utf-8'
    if (/\bgzip\b/.test(asked['accept-encoding'] ?? '')) {
      bytes = await compress(bytes)
      Object.assign(sent, { 'content-encoding': 'gzip', vary: 'accept-encoding' })
    }
    sent['content-length'] = String(bytes.length)
  }
  response.sendDate = false
  response.writeHead(status, STATUS_CODES[status], sent)
  response.end(status === 204 ? undefined : bytes)
}

export const NOT_FOUND_PAGE =
  '<!doctype html><html lang="en"><title>Not found</title><h1>Not found</h1><p>There is no such page.</p></html>'
