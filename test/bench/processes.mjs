// Starts what is measured, and reads what it costs.
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { firstLine, run, stop } from '../helpers/sandbox.mjs'

/** From util-linux: Linux only, and not everywhere there. */
const PIN = 'taskset'
const canPin = availableParallelism() > 1 && spawnSync(PIN, ['-V']).status === 0
export const PINNING = canPin
  ? 'servers on core 0, load on core 1'
  : `not pinned to cores: ${PIN} or a second core is missing`

/** Cores by role: a server and its load never share one. */
const CORES = { server: '0', load: '1' }

/** A Node process on the core of its role. */
function start(role, args, { node = process.execPath, ...options }) {
  const command = [node, ...args]
  const [file, ...rest] = canPin ? [PIN, '-c', CORES[role], ...command] : command
  return run(file, rest, options)
}

/** A server that prints JSON when it is ready; `readyMs` counts from its spawn to that line. */
export async function startServer(args, options = {}) {
  const startedAt = performance.now()
  const child = start('server', args, { stdio: ['ignore', 'pipe', 'inherit'], ...options })
  const ready = JSON.parse(await firstLine(child.stdout))
  const readyMs = performance.now() - startedAt
  return { ...ready, readyMs, pid: child.pid, stop: () => stop(child) }
}

/** A process of the benchmark that does the jobs of a module when asked to. */
export function startHelper(role, file) {
  const args = ['helper.mjs', file].map((name) => join(import.meta.dirname, name))
  const child = start(role, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit').then(() => [{ error: `the process of ${file} ended` }])
  return { ask, pid: child.pid, stop: () => stop(child) }

  async function ask(job, order) {
    const replied = once(child, 'message')
    child.send({ job, order })
    const [response] = await Promise.race([replied, ended])
    if (response.error) throw new Error(response.error)
    return response
  }
}

/** Processor time of all threads of a process so far, in microseconds. */
export function processorUs(pid) {
  const tasks = readdirSync(`/proc/${pid}/task`)
  const ns = tasks.map((task) =>
    Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]),
  )
  return ns.reduce((sum, each) => sum + each, 0) / 1_000
}

export function residentKb(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN)
}

/** Installs a package where npm keeps those of `npx`; what an expression is in a Node that finds it. */
export function evaluateWith(name, expression) {
  return npm(['exec', '--yes', `--package=${name}`, '--', 'node', '-p', expression]).trim()
}

export function npm(args, options) {
  return execFileSync('npm', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  })
}
