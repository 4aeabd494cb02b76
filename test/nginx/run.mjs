// Two sandboxes behind a real nginx with the configuration of docs/sharing.md: every world is
// always answered by one process, also after one of them was killed and started again.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// nginx shows the certificate that a sandbox made for itself.
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'

const WORLDS = 200
const AT_ONCE = 20
const START_MAX_MS = 10_000
const TEST_MAX_MS = 120_000
const CLI = join(import.meta.dirname, '../../dist/cli.js')
const TOKEN = 'main-token'

const folder = mkdtempSync(join(tmpdir(), 'ramp-nginx-'))
const children = new Set()
const deadline = setTimeout(giveUp, TEST_MAX_MS)
const names = Array.from({ length: WORLDS }, (_, i) => `team-${i}`)
const emailOf = (world) => `${world}@example.com`

try {
  const version = spawnSync('nginx', ['-v'], { encoding: 'utf8' }).stderr
  if (!version) throw new Error('nginx is missing: apt-get install nginx-light')
  const front = await freePort()
  const processes = await Promise.all(['one', 'two'].map((name) => startSandbox(name, 0)))
  await startNginx('spread', toSite(front, processes), `http://127.0.0.1:${front}`)
  await spread(`http://127.0.0.1:${front}`, processes)
  for (const path of ['', '/ramp']) await passThrough(path)
  console.log(`passed with ${version.trim()}`)
} finally {
  clearTimeout(deadline)
  await Promise.all([...children].map((child) => stop(child, 'SIGTERM')))
  rmSync(folder, { recursive: true, force: true })
}

async function spread(url, processes) {
  // Through the path of its world, a lease is given by the process that will have the world.
  const leases = await inAllWorlds((world) => {
    return ask('POST', `${url}/w/${world}/_sandbox/leases`, { token: TOKEN, body: { ttl: '10m' } })
  })
  const users = await inAllWorlds((world) => {
    const { baseUrl, apiKey: key } = leases.get(world)
    return ask('POST', `${baseUrl}/v2/users`, { key, body: { email: emailOf(world) } })
  })
  const homes = await readHomes(processes)
  const [ones, twos] = homes
  assert.deepEqual([...ones, ...twos].sort(), [...names].sort(), 'each world lives in one process')
  for (const { size } of homes) assert.ok(size > WORLDS / 4, `${size} worlds in one process`)
  console.log(`${ones.size} and ${twos.size} worlds`)

  await findUsers()
  assert.deepEqual(await readHomes(processes), homes, 'later calls find a world where it was')

  const [first, second] = processes
  await stop(first.child, 'SIGKILL')
  const asked = await inAllWorlds((world) => {
    const { controlUrl, controlToken } = leases.get(world)
    const headers = { authorization: `Bearer ${controlToken}` }
    return fetch(`${controlUrl}/clock`, { headers })
  })
  const answering = names.filter((world) => asked.get(world).status === 200)
  assert.deepEqual(new Set(answering), twos, 'the worlds of the other process go on')
  assert.deepEqual((await readHomes([second]))[0], twos, 'no world moves while its process is gone')

  const again = await startSandbox(first.name, first.port)
  await findUsers()
  assert.deepEqual(await readHomes([again, second]), homes, 'every world is back where it was')
  console.log('the same after one process was killed and started again')

  async function findUsers() {
    const found = await inAllWorlds((world) => {
      const { baseUrl, apiKey: key } = leases.get(world)
      return ask('GET', `${baseUrl}/v2/users?email=${emailOf(world)}`, { key })
    })
    for (const [world, { data }] of found) {
      assert.deepEqual(data[0]?.id, users.get(world).data.id, `${world} knows its user`)
    }
  }
}

/** The worlds in each process, as the process itself lists them. */
function readHomes(processes) {
  return Promise.all(
    processes.map(async ({ url }) => {
      const { items } = await ask('GET', `${url}/_sandbox/worlds`, { token: TOKEN })
      return new Set(items.map(({ name }) => name).filter((name) => name !== 'default'))
    }),
  )
}

/** In another order each time, because taking turns must not look like choosing by name. */
async function inAllWorlds(act) {
  const results = new Map()
  names.push(names.shift())
  for (let i = 0; i < WORLDS; i += AT_ONCE) {
    const some = names.slice(i, i + AT_ONCE)
    const answers = await Promise.all(some.map(act))
    for (const [at, world] of some.entries()) results.set(world, answers[at])
  }
  return results
}

async function ask(method, url, { key, token, body }) {
  const headers = {
    'content-type': 'application/json',
    ...(key && { 'x-api-key': key }),
    ...(token && { authorization: `Bearer ${token}` }),
  }
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${text}`)
  return JSON.parse(text)
}

async function startSandbox(name, port, more = []) {
  const data = join(folder, `${name}.json`)
  const args = [CLI, 'start', '--json', '--port', String(port), '--data', data, ...more]
  const env = { ...process.env, RAMP_SANDBOX_CONTROL_TOKEN: TOKEN }
  const child = run(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env })
  const ready = once(child.stdout, 'data')
  const [line] = await Promise.race([ready, once(child, 'exit').then(([code]) => died(name, code))])
  return { name, child, cert: `${data}.cert.pem`, key: `${data}.key.pem`, ...JSON.parse(line) }
}

function died(name, code) {
  throw new Error(`${name} ended with ${code} before it answered.`)
}

/** The configuration of docs/sharing.md, with the ports of this run. */
function toSite(front, [one, two]) {
  const page = readFileSync(join(import.meta.dirname, '../../docs/sharing.md'), 'utf8')
  const [, recipe] = /```nginx\n([\s\S]*?)```/.exec(page) ?? []
  assert.ok(recipe, 'the page shows no configuration')
  const ports = { 4100: front, 4101: one.port, 4102: two.port }
  return recipe.replace(/\b410[012]\b/g, (port) => ports[port])
}

/** Every link that the sandbox gives out leads back to it, through TLS and below a path. */
async function passThrough(path) {
  const front = await freePort()
  const base = `https://localhost:${front}${path}`
  const { port, cert, key } = await startSandbox(`public${path.slice(1)}`, 0, [
    '--tls',
    '--trust-proxy',
  ])
  const guide = readFileSync(join(import.meta.dirname, '../../docs/network.md'), 'utf8')
  const [, recipe] = /```nginx\n([\s\S]*?)```/.exec(guide) ?? []
  const location = recipe
    .replace('/ramp;', path ? '/ramp;' : '"";')
    .replaceAll('/ramp', path)
    .replace('http://127.0.0.1:4100', `https://127.0.0.1:${port}`)
  const tls = `listen 127.0.0.1:${front} ssl; ssl_certificate ${cert}; ssl_certificate_key ${key};`
  await startNginx(`public${path.slice(1)}`, `server { ${tls}\n${location} }`, base)

  const lease = await ask('POST', `${base}/_sandbox/leases`, { token: TOKEN, body: { ttl: '10m' } })
  for (const url of [lease.baseUrl, lease.leaseUrl, lease.controlUrl]) {
    assert.ok(url.startsWith(`${base}/w/`), url)
  }
  const { apiKey: leased, controlToken: token } = lease
  const user = { email: 'ana@example.com' }
  const { data } = await ask('POST', `${lease.baseUrl}/v2/users`, { key: leased, body: user })
  const kyc = await ask('GET', `${lease.baseUrl}/v2/users/${data.id}/kyc-url`, { key: leased })
  const document = await ask('GET', `${lease.baseUrl}/openapi.json`, {})
  assert.equal(document.servers[0].url, lease.baseUrl)
  const pages = ['/', '/ui/users', '/reference', '/demo', '/ui/world', '/ui/webhooks']
  for (const page of [kyc.data.url, ...pages.map((each) => `${lease.controlUrl}${each}`)]) {
    await followLinks(page, token, `${base}/`)
  }
  console.log(`every link leads back to ${base}`)
}

async function followLinks(page, token, base) {
  const headers = { authorization: `Bearer ${token}`, accept: 'text/html' }
  const answer = await fetch(page, { headers })
  assert.equal(answer.status, 200, page)
  const html = await answer.text()
  const links = [...html.matchAll(/(?:href|src|action)="([^"#]+)"/g)].map(([, link]) => link)
  for (const link of new Set(links.map((each) => new URL(each, page).href))) {
    assert.ok(link.startsWith(base), `${link} on ${page}`)
    if (!link.includes('/assets/')) continue
    assert.equal((await fetch(link)).status, 200, link)
  }
}

async function startNginx(name, site, url) {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => {
    return `${kind}_temp_path ${folder}/${kind};`
  })
  const http = ['access_log off;', ...paths, site].join('\n')
  const config = `daemon off; pid ${folder}/${name}.pid; error_log stderr crit; events {}`
  writeFileSync(join(folder, `${name}.conf`), `${config}\nhttp {\n${http}\n}\n`)
  const child = run('nginx', ['-p', folder, '-e', 'stderr', '-c', join(folder, `${name}.conf`)])
  const until = performance.now() + START_MAX_MS
  while (!(await answers(url))) {
    if (child.exitCode !== null) died('nginx', child.exitCode)
    assert.ok(performance.now() < until, 'nginx does not answer')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function answers(url) {
  try {
    return (await fetch(`${url}/_sandbox/health`)).ok
  } catch {
    return false
  }
}

function run(file, args, options = { stdio: ['ignore', 'inherit', 'inherit'] }) {
  const child = spawn(file, args, options)
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

async function stop(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

function giveUp() {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
  console.error(`Not done after ${TEST_MAX_MS / 1000} s.`)
  process.exit(1)
}
