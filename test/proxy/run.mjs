// Plays every scenario with validating proxies (Prism, one per document) in front of the sandbox,
// and fails where a request that was accepted, or any response, is not as its document says. It also
// generates the clients whose types are checked next.
import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import { createRequire } from 'node:module'
import { CLI, findFreePort, killAll, readDocument, run, startSandbox } from '../helpers/sandbox.mjs'
import { generateClients } from './generate.mjs'

// What `prism proxy` runs: in this process, its three proxies load their libraries once.
const { createSingleProcessPrism } = createRequire(import.meta.url)(
  '@stoplight/prism-cli/dist/util/createServer.js',
)
const WORLD_HEADER = 'x-play-world'
const servers = []
const mismatches = []
const seen = new Map()

try {
  process.exitCode = await main()
} finally {
  killAll()
  for (const server of servers) server.close().closeAllConnections?.()
}

async function main() {
  const sandbox = await startSandbox()
  const back = await listen((incoming, outgoing) => {
    const world = incoming.headers[WORLD_HEADER]
    const path = world ? `/w/${world}${incoming.url}` : incoming.url
    forward({ incoming, outgoing, to: sandbox.url, path })
  })
  const documents = { contract: readDocument('contract'), control: readDocument('control') }
  await generateClients(documents)
  const proxies = {
    contract: await openProxy(documents.contract, back),
    control: await openProxy(documents.control, back),
  }
  await proveThatItNotices(documents.contract, back)
  const front = await listen((incoming, outgoing) => {
    const [prefix = '', world = ''] = /^\/w\/([^/?]+)/.exec(incoming.url) ?? []
    const path = incoming.url.slice(prefix.length)
    const to = path.startsWith('/_sandbox') ? proxies.control : proxies.contract
    const headers = { ...incoming.headers, ...(world && { [WORLD_HEADER]: world }) }
    forward({ incoming, outgoing, to, path, headers, onResponse: judge })
  })
  const playing = run(process.execPath, [CLI, 'play', '--all', '--url', front])
  const [code] = await once(playing, 'close')
  return report(code)
}

/** What Prism says of a call. A request that is refused may be as wrong as it likes. */
function judge({ method, path, status, violations }) {
  const name = `${method} ${path.replace(/\?.*/, '')}`
  seen.set(name, (seen.get(name) ?? 0) + 1)
  for (const { location, message, code } of JSON.parse(violations ?? '[]')) {
    if (location[0] === 'request' && status >= 400) continue
    mismatches.push(`${name} ${status}: ${location.join('.')} ${code ?? ''} ${message}`)
  }
}

function report(code) {
  const calls = [...seen.values()].reduce((sum, count) => sum + count, 0)
  console.log(`${calls} calls of ${seen.size} kinds, ${mismatches.length} mismatches`)
  for (const mismatch of mismatches) console.error(mismatch)
  if (calls < 100) console.error('Too few calls went through the proxies.')
  return code === 0 && mismatches.length === 0 && calls >= 100 ? 0 : 1
}

/** A document that asks for more than a response has must be found out, or the rest proves nothing. */
async function proveThatItNotices(contract, back) {
  const wrong = structuredClone(contract)
  wrong.paths = { '/v2/quotes': wrong.paths['/v2/quotes'] }
  wrong.components.schemas.Quote.required.push('nothing')
  const proxy = await openProxy(wrong, back)
  const query = 'leftSideLabel=CAD&leftSideValue=100&rightSideLabel=USDC-ETH'
  const headers = { 'x-api-key': 'sandbox-key' }
  const response = await fetch(`${proxy}/v2/quotes?${query}`, { headers })
  const violations = response.headers.get('sl-violations') ?? ''
  if (response.status === 200 && violations.includes('nothing')) return
  throw new Error(`The proxy does not notice: ${response.status} ${violations}`)
}

async function openProxy(document, upstream) {
  const port = await findFreePort()
  const server = await createSingleProcessPrism({
    document: { ...document, servers: [{ url: upstream }] },
    upstream: new URL(upstream),
    host: '127.0.0.1',
    port,
    cors: true,
    validateRequest: true,
    errors: false,
    verboseLevel: 'error',
  })
  servers.push(server)
  return `http://127.0.0.1:${port}`
}

/** Passes a call on, and its response back. */
function forward({ incoming, outgoing, to, path, headers = incoming.headers, onResponse }) {
  const { method } = incoming
  const { host, hostname, port } = new URL(to)
  const request = httpRequest({ method, hostname, port, path, headers: { ...headers, host } })
  request.on('response', (response) => {
    const { 'sl-violations': violations, ...rest } = response.headers
    onResponse?.({ method, path, status: response.statusCode, violations })
    outgoing.writeHead(response.statusCode, rest)
    response.pipe(outgoing)
  })
  request.on('error', (error) => outgoing.destroy(error))
  incoming.pipe(request)
}

async function listen(handle) {
  const server = createServer(handle)
  servers.push(server)
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${server.address().port}`
}
