// The single executable and the image, as people get them: both are made twice and must be the same,
// then the file system of the image is all that a sandbox has, under chroot and in a container.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { firstLine } from '../helpers/sandbox.mjs'
import { startContainer, whyNoContainer } from './container.mjs'

const TEST_MAX_MS = 120_000
const PROGRAM = '/usr/local/bin/ramp-sandbox'
const TOKEN = 'a-token-of-a-test'
const ENV = { RAMP_SANDBOX_CONTROL_TOKEN: TOKEN, PATH: '/usr/sbin:/usr/bin:/sbin:/bin' }
const ARGS = ['start', '--host', '0.0.0.0', '--port', '0', '--json']

const LICENCES = {
  LICENSE: /MIT/,
  'LICENSES.txt': /hono/,
  'LICENSE.node': /Node\.js is licensed/,
  'LICENSE.glibc': /GNU C Library|GNU Libc/i,
  'LICENSE.libstdc++': /Runtime Library Exception/i,
}

process.chdir(join(import.meta.dirname, '../..'))
const folder = mkdtempSync(join(tmpdir(), 'ramp-binary-'))
const rootfs = join(folder, 'rootfs')
/** Ends what still runs, however this ends. */
const ends = new Set()
const deadline = setTimeout(() => {
  throw new Error(`It took longer than ${TEST_MAX_MS / 1000} s.`)
}, TEST_MAX_MS)

try {
  const first = make()
  assert.deepEqual(make(), first, 'two builds are the same')
  cpSync('build/rootfs', rootfs, { recursive: true })
  for (const [name, words] of Object.entries(LICENCES)) {
    const text = readFileSync(join(rootfs, 'usr/share/doc/ramp-sandbox', name), 'utf8')
    assert.match(text, words, name)
    assert.equal(readFileSync(join('build', name), 'utf8'), text, 'it lies beside the program, too')
  }
  chmodSync(join(rootfs, 'tmp'), 0o1777)
  await inChroot()
  await inContainer()
  console.log('passed')
} finally {
  clearTimeout(deadline)
  for (const end of ends) end()
  rmSync(folder, { recursive: true, force: true })
}

/** Makes both, and returns the digests of the program and of the image's layer. */
function make() {
  runNode('scripts/binary.mjs')
  const program = createHash('sha256').update(readFileSync('build/ramp-sandbox')).digest('hex')
  return [program, runNode('scripts/image.mjs')]
}

async function inChroot() {
  const child = spawn(...chroot(ARGS), { env: ENV, stdio: ['ignore', 'pipe', 'inherit'] })
  ends.add(() => child.kill('SIGKILL'))
  const { url } = JSON.parse(await firstLine(child.stdout))
  await useIt(url)
  assert.equal(readdirSync(join(rootfs, 'tmp')).length, 1, 'it unpacked itself once, to play')

  const inside = (...args) => spawnSync(...chroot(args), { env: ENV, encoding: 'utf8' })
  assert.match(inside('health', '--url', url).stdout, /^status +ok$/m)
  assert.match(inside('fixtures').stdout, /verified-user/)
  assert.match(inside('play', 'sell-completes').stdout, /1 of 1 passed/)

  writeFileSync(join(rootfs, 'tmp/mine.mjs'), 'export default {\n  title: )\n}\n')
  assert.match(inside('play', '/tmp/mine.mjs').stdout, /mine\.mjs:2/, 'it knows the line')
  rmSync(join(rootfs, 'tmp/mine.mjs'))

  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  assert.equal(await exited, 0)
  assert.equal(inside('health', '--url', url).status, 2, 'nothing responds any more')
  assert.deepEqual(readdirSync(join(rootfs, 'tmp')), [], 'it left nothing behind')
  console.log('chroot: passed')
}

/** As a user without rights: root drops them, anyone else maps itself. */
function chroot(args) {
  return process.getuid() === 0
    ? ['chroot', ['--userspec=65532:65532', rootfs, PROGRAM, ...args]]
    : ['unshare', ['--map-root-user', 'chroot', rootfs, PROGRAM, ...args]]
}

async function inContainer() {
  const reason = whyNoContainer()
  if (reason) return console.log(`container: not run, ${reason}`)
  const composed = [...readComposeCommand(), '--port=0', '--json']
  const container = await startContainer({ folder, args: composed, token: TOKEN })
  ends.add(container.end)
  const { url } = JSON.parse(container.line)
  await useIt(url)
  assert.equal(await statusFor(url, 'ramp-sandbox'), 200, 'other services call it by its name')
  assert.equal(await statusFor(url, 'elsewhere'), 403)
  const [command, ...args] = container.healthcheck
  assert.match(container.exec(command, ...args, '--url', url), /^status +ok$/m)
  assert.deepEqual(container.user, { uid: 65532, gid: 65532 })
  assert.equal(await container.stop(), 0)
  assert.ok(statSync(join(container.data, 'worlds.jsonl')).size > 0, 'the volume has its data')
  console.log('container: passed')
}

/** What compose.yaml starts. */
function readComposeCommand() {
  const compose = readFileSync('compose.yaml', 'utf8')
  const [, block] = /^ {4}command:\n((?: {6}.*\n)+)/m.exec(compose) ?? []
  const args = [...block.matchAll(/^ {6}- (\S+)$/gm)].map(([, arg]) => arg)
  assert.equal(args[0], 'start')
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  assert.match(compose, new RegExp(`image: ramp-sandbox:${version}\\n`))
  return args
}

/** Of a control call that names the sandbox so; `fetch` would not send another host. */
async function statusFor(url, host) {
  const headers = { host, authorization: `Bearer ${TOKEN}` }
  const request = get(`http://127.0.0.1:${new URL(url).port}/_sandbox/state`, { headers })
  const [response] = await once(request, 'response')
  response.resume()
  return response.statusCode
}

/** What needs the files inside: a fixture, a page, an asset, an example and a scenario. */
async function useIt(url) {
  const port = new URL(url).port
  const base = `http://127.0.0.1:${port}`
  const read = (path, headers = {}) => fetch(`${base}${path}`, { headers })
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }

  assert.equal((await (await read('/_sandbox/health')).json()).status, 'ok')
  assert.equal((await read('/_sandbox/state')).status, 401, 'the control API asks for its token')
  assert.match(await (await read('/_sandbox/', headers)).text(), /<html/)
  const asset = await read('/_sandbox/assets/styles.css')
  assert.equal(asset.status, 200)
  assert.ok((await asset.arrayBuffer()).byteLength > 10_000)
  assert.equal((await read('/_sandbox/assets/none.css')).status, 404)
  const document = await (await read('/_sandbox/openapi.json', headers)).text()
  assert.match(document, /alice@example\.com/, 'the document has its examples')

  const { items } = await (await read('/_sandbox/scenarios', headers)).json()
  assert.equal(items.length, readdirSync('scenarios').length)
  const path = '/_sandbox/scenarios/buy-completes/play'
  const played = await fetch(`${base}${path}`, { method: 'POST', headers, body: '{}' })
  assert.equal((await played.json()).outcome, 'passed')
}

function runNode(...args) {
  return must(process.execPath, ...args)
}

function must(command, ...args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${error?.message ?? stderr}`)
  return stdout
}
