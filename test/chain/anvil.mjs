// Starts anvil and sandboxes for the tests of this folder.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connectSandbox } from '../../dist/index.js'
import {
  ask,
  CLI,
  firstLine,
  freePort,
  run,
  startSandbox as start,
  stop,
} from '../helpers/sandbox.mjs'

// The program itself: what npm puts in its place starts it as a child, which outlives a kill.
const ARCHITECTURE = { x64: 'amd64', arm64: 'arm64' }[process.arch]
const PACKAGE = `anvil-${process.platform}-${ARCHITECTURE}`
const ANVIL = join(import.meta.dirname, 'node_modules/@foundry-rs', PACKAGE, 'bin/anvil')
const START_MAX_MS = 20_000

export async function startAnvil(...args) {
  return startAnvilAt(await freePort(), ...args)
}

export async function startAnvilAt(port, ...args) {
  const child = run(ANVIL, ['--port', String(port), '--silent', ...args])
  const url = `http://127.0.0.1:${port}`
  const rpc = async (method, ...params) => {
    const { result, error } = await ask('POST', url, {
      body: { jsonrpc: '2.0', id: 1, method, params },
    })
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }
  const until = Date.now() + START_MAX_MS
  while (!(await rpc('eth_chainId').catch(() => undefined))) {
    if (Date.now() > until) throw new Error('anvil does not start.')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return { url, rpc, stop: (signal) => stop(child, signal) }
}

/** A sandbox in a process of its own, which can be killed. */
export async function startSandbox(...args) {
  const started = await start(args)
  return { ...started, sandbox: connectSandbox(started.url) }
}

/** The client of a chain in a process of its own, which can be killed; it has attached. */
export async function startChain(...args) {
  const child = run(process.execPath, [CLI, 'chain', '--json', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { tokens } = JSON.parse(await firstLine(child.stdout))
  return { tokens, stop: (signal) => stop(child, signal) }
}

/** What a command prints; throws with what it says where it fails. */
export async function runCli(...args) {
  return (await promisify(execFile)(process.execPath, [CLI, ...args])).stdout.trim()
}
