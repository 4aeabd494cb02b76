// Starts anvil and sandboxes for the tests of this folder.
import { execFile, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connectSandbox } from '../../dist/index.js'

// The program itself: what npm puts in its place starts it as a child, which outlives a kill.
const ARCHITECTURE = { x64: 'amd64', arm64: 'arm64' }[process.arch]
const PACKAGE = `anvil-${process.platform}-${ARCHITECTURE}`
const ANVIL = join(import.meta.dirname, 'node_modules/@foundry-rs', PACKAGE, 'bin/anvil')
const CLI = join(import.meta.dirname, '../../dist/cli.cjs')

export async function startAnvil(...args) {
  const port = await freePort()
  const child = spawn(ANVIL, ['--port', String(port), '--silent', ...args])
  const url = `http://127.0.0.1:${port}`
  await until(async () => (await rpc(url, 'eth_chainId')) !== undefined)
  return { url, rpc: (method, ...params) => rpc(url, method, ...params), child }
}

/** A sandbox in a process of its own, which can be killed. */
export async function startSandbox(...args) {
  const child = spawn(process.execPath, [CLI, 'start', '--port', '0', '--json', ...args])
  const errors = []
  child.stderr.on('data', (data) => errors.push(data))
  const [line] = await new Promise((resolve, reject) => {
    child.stdout.once('data', (data) => resolve(String(data).split('\n')))
    child.once('exit', (code) => reject(new Error(`exit ${code}: ${errors.join('')}`)))
  })
  const { url } = JSON.parse(line)
  return { child, url, sandbox: await connectSandbox(url) }
}

/** What a command prints; throws with what it says where it fails. */
export async function runCli({ url }, ...args) {
  const all = [CLI, ...args, '--url', url]
  return (await promisify(execFile)(process.execPath, all)).stdout.trim()
}

/** Ends a process that was started here, and waits for it. */
export async function end({ child }, signal = 'SIGTERM') {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await ended
}

async function rpc(url, method, ...params) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const { result, error } = await (await fetch(url, { method: 'POST', headers, body })).json()
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}

async function until(isThere) {
  const deadline = Date.now() + 20_000
  for (;;) {
    if (await isThere().catch(() => false)) return
    if (Date.now() > deadline) throw new Error('It does not start.')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
