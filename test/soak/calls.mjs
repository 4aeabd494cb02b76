import { Agent, request } from 'node:http'

const AT_ONCE = 16
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
const BROKEN = ['ECONNRESET', 'ECONNREFUSED', 'HPE_INVALID_EOF_STATE']

/** How many calls got which status; `broken` by an ordered fault. */
export const statuses = {}

/** Calls of one world. A connection that breaks has no response: faults do that. */
export function callsOf(base) {
  return async function call(method, path, { body, token } = {}) {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const headers = { 'x-api-key': 'sandbox-key' }
    if (text !== undefined) headers['content-type'] = 'application/json'
    if (text !== undefined) headers['content-length'] = Buffer.byteLength(text)
    if (token) headers.authorization = `Bearer ${token}`
    const { status, bytes } = await send(base + path, { method, headers, agent }, text)
    statuses[status] = (statuses[status] ?? 0) + 1
    if (status === 500) throw new Error(`${method} ${base}${path} responded with 500: ${bytes}`)
    return { status, data: parse(bytes) }
  }
}

function send(url, options, text) {
  return new Promise((resolve, reject) => {
    const broken = (error) => {
      if (BROKEN.includes(error.code)) resolve({ status: 'broken', bytes: '' })
      else reject(error)
    }
    const asked = request(url, options, (response) => {
      const chunks = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', broken)
      response.on('end', () =>
        resolve({ status: response.statusCode, bytes: Buffer.concat(chunks).toString() }),
      )
    })
    asked.on('error', broken)
    asked.end(text)
  })
}

function parse(bytes) {
  try {
    const json = JSON.parse(bytes)
    return json.data ?? json
  } catch {
    return {}
  }
}

/** Does something so many times, several at once. */
export async function repeat(times, act) {
  let next = 0
  const work = async () => {
    while (next < times) await act(next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

export const hangUp = () => agent.destroy()
