import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { CLI, startServer } from '../processes.mjs'
import { measureRounds } from '../rounds.mjs'

const BARE = join(import.meta.dirname, '../bare-http.mjs')
const LIBRARY = join(import.meta.dirname, '../../../dist/index.cjs')
const ASK = 'GET /_sandbox/health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'
const BESIDE = 'bare node:http'

const startRow = (name, most, options = {}) => ({
  name: `from spawn to the first response, ${name}`,
  beside: BESIDE,
  unit: 'ms',
  aim: { most },
  measure: ({ rounds }) => measureStart({ rounds, figureOf: ({ ms }) => ms, ...options }),
})

export const starts = [
  startRow('cold', 1.7, { env: { RAMP_SANDBOX_CACHE: 'off' } }),
  startRow('code kept', 1.4),
  ...[22, 24].map((major) => startRow(`code kept, Node ${major}`, 1.67, { major })),
]

export const memory = {
  name: 'resident memory after start',
  beside: BESIDE,
  unit: 'kB',
  aim: { most: 1.25 },
  measure: ({ rounds }) => measureStart({ rounds, figureOf: ({ residentKb }) => residentKb }),
}

const runRow = (name, most, ours) => ({
  name,
  beside: 'node -e 0',
  unit: 'ms',
  aim: { most },
  measure: ({ rounds }) =>
    measureRounds({
      rounds,
      warmUps: 1,
      ours: () => runOnce(ours),
      bare: () => runOnce(['-e', '0']),
    }),
})

const MAKE = `const { createSandbox } = require(${JSON.stringify(LIBRARY)})
createSandbox().then((sandbox) => sandbox.close())`

export const runs = [
  runRow('--version', 1.2, [CLI, '--version']),
  runRow('--help', 1.2, [CLI, '--help']),
  runRow('require, createSandbox and close', 3, ['-e', MAKE]),
]

function runOnce(args) {
  const startedAt = performance.now()
  execFileSync(process.execPath, args, { stdio: 'ignore' })
  return performance.now() - startedAt
}

function measureStart({ rounds, figureOf, env, major }) {
  const node = major === undefined ? process.execPath : findNode(major)
  const once = async (toArgs) => figureOf(await startOnce(toArgs, { node, env }))
  return measureRounds({
    rounds,
    warmUps: 1,
    ours: () => once((port) => [CLI, 'start', '--port', port]),
    bare: () => once((port) => [BARE, port]),
  })
}

/** Another version of Node, from the package of that name. */
function findNode(major) {
  const args = ['exec', '--yes', `--package=node@${major}`, '--', 'node', '-p', 'process.execPath']
  return execFileSync('npm', args, { encoding: 'utf8' }).trim()
}

async function startOnce(toArgs, { node, env }) {
  const port = await freePort()
  const startedAt = performance.now()
  const server = startServer(toArgs(String(port)), { node, env })
  while (!(await responds(port))) await new Promise((resolve) => setTimeout(resolve, 1))
  const ms = performance.now() - startedAt
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8').catch(() => '')
  const residentKb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN)
  await server.stop()
  return { ms, residentKb }
}

async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A socket of its own each time: nothing that a client would have to load first. */
function responds(port) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(ASK))
    socket.once('data', (bytes) => {
      socket.destroy()
      resolve(bytes.toString('latin1').startsWith('HTTP/1.1 200'))
    })
    socket.once('error', () => resolve(false))
  })
}
