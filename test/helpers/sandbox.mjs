// The sandbox as it was built, in processes of its own.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export const CLI = join(import.meta.dirname, '../../dist/cli.cjs')

const running = new Set()

/** A program that `killAll` ends. */
export function run(file, args, options = { stdio: ['ignore', 'inherit', 'inherit'] }) {
  const child = spawn(file, args, options)
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** Begins to start one; it may not have come to its ready line. */
export function spawnSandbox(args = [], { nodeArgs = [], env, stdio = [] } = {}) {
  const port = args.includes('--port') ? [] : ['--port', '0']
  return run(process.execPath, [...nodeArgs, CLI, 'start', '--json', ...port, ...args], {
    stdio: ['ignore', 'pipe', 'inherit', ...stdio],
    env: { ...process.env, ...env },
  })
}

/** One that is ready: its process, and what it says of itself. */
export async function startSandbox(args, options) {
  const child = spawnSandbox(args, options)
  const ready = JSON.parse(await firstLine(child.stdout))
  return { child, ...ready, stop: (signal) => stop(child, signal) }
}

/** The first line of a stream; the rest is read and dropped. */
export async function firstLine(stream) {
  const lines = createInterface({ input: stream })
  const line = await new Promise((resolve, reject) => {
    lines.once('line', resolve)
    lines.once('close', () => reject(new Error('It ended before it said that it is ready.')))
  })
  lines.on('line', () => undefined)
  return line
}

/** An OpenAPI document as the command line prints it: `contract` or `control`. */
export function readDocument(name) {
  const args = [CLI, 'openapi', ...(name === 'control' ? ['--control'] : [])]
  const maxBuffer = 64 * 1024 * 1024
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer }))
}

export async function stop(child, signal = 'SIGTERM') {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

export const stopAll = (signal) => Promise.all([...running].map((child) => stop(child, signal)))

export function killAll() {
  for (const child of running) child.kill('SIGKILL')
}

/** A call of the API; fails on a refusal. */
export async function ask(method, url, { key, token, body } = {}) {
  const headers = {
    'content-type': 'application/json',
    ...(key && { 'x-api-key': key }),
    ...(token && { authorization: `Bearer ${token}` }),
  }
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${url} responded with ${response.status}: ${text}`)
  return JSON.parse(text)
}

/** A port that nobody listens on. */
export async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}
