// Two sandboxes behind a real nginx with the configuration of docs/sharing.md: every world is
// always served by one process, also after one of them was killed and started again.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ask, freePort, killAll, run, startSandbox, stop, stopAll } from '../helpers/sandbox.mjs'

// nginx shows the certificate that a sandbox made for itself.
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'

const WORLDS = 200
const AT_ONCE = 20
const START_MAX_MS = 10_000
const TEST_MAX_MS = 120_000
const TOKEN = 'main-token'
const KEY = 'sandbox-key'
const PRIVATE = /^(one|two)-[0-9a-f]{32}$/

const nameOf = (world) => world.slice(world.lastIndexOf('/') + 1)
const emailOf = (name) => `${name}@example.com`

const folder = mkdtempSync(join(tmpdir(), 'ramp-nginx-'))
const deadline = setTimeout(giveUp, TEST_MAX_MS)

try {
  const version = spawnSync('nginx', ['-v'], { encoding: 'utf8' }).stderr
  if (!version) throw new Error('nginx is missing: apt-get install nginx-light')
  const front = await freePort()
  const processes = await Promise.all(
    ['one', 'two'].map((name) => start(name, { more: ['--instance', name] })),
  )
  await startNginx('spread', toSite(front, processes), `http://127.0.0.1:${front}`)
  await spread(`http://127.0.0.1:${front}`, processes)
  for (const path of ['', '/ramp']) await passThrough(path)
  console.log(`passed with ${version.trim()}`)
} finally {
  clearTimeout(deadline)
  await stopAll()
  rmSync(folder, { recursive: true, force: true })
}

async function spread(url, processes) {
  const created = await inTurns(Array.from({ length: WORLDS }), () =>
    ask('POST', `${url}/_sandbox/worlds`, { token: TOKEN, body: { ttl: '10m' } }),
  )
  const shared = Array.from({ length: WORLDS / 4 }, (_, i) => `${url}/w/team-${i}`)
  for (const world of shared) await ask('GET', `${world}/_sandbox/info`, { token: TOKEN })
  const worlds = [...created.map(({ baseUrl }) => baseUrl), ...shared]
  const names = worlds.map(nameOf)
  const users = new Map(
    await inTurns(worlds, async (world) => {
      const body = { email: emailOf(nameOf(world)) }
      return [world, (await ask('POST', `${world}/v2/users`, { key: KEY, body })).data.id]
    }),
  )
  const homes = await readHomes(processes)
  const [ones, twos] = homes
  assert.deepEqual([...ones, ...twos].sort(), names.sort(), 'each world lives in one process')
  for (const { size } of homes) assert.ok(size > names.length / 4, `${size} worlds in one process`)
  for (const [at, home] of homes.entries()) {
    const isOwn = (name) => !PRIVATE.test(name) || name.startsWith(`${processes[at].name}-`)
    assert.ok([...home].every(isOwn), 'the name of a private world says where it lives')
  }
  console.log(`${ones.size} and ${twos.size} worlds`)

  await findUsers()
  assert.deepEqual(await readHomes(processes), homes, 'later calls find a world where it was')
  const [{ baseUrl: origin, name }] = created
  const { name: fork } = await ask('POST', `${origin}/_sandbox/worlds`, { body: { from: {} } })
  assert.equal(fork.slice(0, 4), name.slice(0, 4), 'a fork lives beside its origin')
  await ask('DELETE', `${url}/w/${fork}/_sandbox/worlds/${fork}`, {})

  const [first, second] = processes
  await stop(first.child, 'SIGKILL')
  const headers = { authorization: `Bearer ${TOKEN}` }
  const statuses = await inTurns(worlds, async (world) => {
    return [world, (await fetch(`${world}/_sandbox/clock`, { headers })).status]
  })
  const responding = statuses.filter(([, status]) => status === 200).map(([world]) => nameOf(world))
  assert.deepEqual(new Set(responding), twos, 'the worlds of the other process go on')
  assert.deepEqual((await readHomes([second]))[0], twos, 'no world moves while its process is gone')

  const again = await start(first.name, { port: first.port, more: first.more })
  await findUsers()
  assert.deepEqual(await readHomes([again, second]), homes, 'every world is back where it was')
  console.log('the same after one process was killed and started again')

  async function findUsers() {
    await inTurns(worlds, async (world) => {
      const search = `${world}/v2/users?email=${emailOf(nameOf(world))}`
      const { data } = await ask('GET', search, { key: KEY })
      assert.equal(data[0]?.id, users.get(world), `${world} knows its user`)
    })
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

/** Twenty at a time, and beginning elsewhere each time, because taking turns must not look like choosing by name. */
async function inTurns(items, act) {
  const results = []
  items.push(items.shift())
  for (let i = 0; i < items.length; i += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(i, i + AT_ONCE).map(act))))
  }
  return results
}

async function start(name, { port = 0, more = [] }) {
  const data = join(folder, `${name}.json`)
  const args = ['--port', String(port), '--data', data, ...more]
  const sandbox = await startSandbox(args, { env: { RAMP_SANDBOX_CONTROL_TOKEN: TOKEN } })
  return { name, more, cert: `${data}.cert.pem`, key: `${data}.key.pem`, ...sandbox }
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
  const { port, cert, key } = await start(`public${path.slice(1)}`, {
    more: ['--tls', '--trust-proxy'],
  })
  const guide = readFileSync(join(import.meta.dirname, '../../docs/network.md'), 'utf8')
  const [, recipe] = /```nginx\n([\s\S]*?)```/.exec(guide) ?? []
  const location = recipe
    .replace('/ramp;', path ? '/ramp;' : '"";')
    .replaceAll('/ramp', path)
    .replace('http://127.0.0.1:4100', `https://127.0.0.1:${port}`)
  const tls = `listen 127.0.0.1:${front} ssl; ssl_certificate ${cert}; ssl_certificate_key ${key};`
  await startNginx(`public${path.slice(1)}`, `server { ${tls}\n${location} }`, base)

  const { baseUrl } = await ask('POST', `${base}/_sandbox/worlds`, { token: TOKEN, body: {} })
  assert.ok(baseUrl.startsWith(`${base}/w/`), baseUrl)
  const user = { email: 'ana@example.com' }
  const { data } = await ask('POST', `${baseUrl}/v2/users`, { key: KEY, body: user })
  const kyc = await ask('GET', `${baseUrl}/v2/users/${data.id}/kyc-url`, { key: KEY })
  const document = await ask('GET', `${baseUrl}/openapi.json`, {})
  assert.equal(document.servers[0].url, baseUrl)
  const pages = ['/', '/ui/users', '/reference', '/demo', '/ui/world', '/ui/webhooks']
  for (const page of [kyc.data.url, ...pages.map((each) => `${baseUrl}/_sandbox${each}`)]) {
    await followLinks(page, TOKEN, `${base}/`)
  }
  console.log(`every link leads back to ${base}`)
}

async function followLinks(page, token, base) {
  const headers = { authorization: `Bearer ${token}`, accept: 'text/html' }
  const response = await fetch(page, { headers })
  assert.equal(response.status, 200, page)
  const html = await response.text()
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
  while (!(await responds(url))) {
    assert.equal(child.exitCode, null, 'nginx ended')
    assert.ok(performance.now() < until, 'nginx does not respond')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function responds(url) {
  try {
    return (await fetch(`${url}/_sandbox/health`)).ok
  } catch {
    return false
  }
}

function giveUp() {
  killAll()
  rmSync(folder, { recursive: true, force: true })
  console.error(`Not done after ${TEST_MAX_MS / 1000} s.`)
  process.exit(1)
}
