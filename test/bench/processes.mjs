import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
export const CLI = join(root, 'dist/cli.cjs')

/** From util-linux: Linux only, and not everywhere there. */
const PIN = 'taskset'
const canPin = availableParallelism() > 1 && spawnSync(PIN, ['-V']).status === 0
export const PINNING = canPin
  ? 'servers on core 0, load on core 1'
  : `not pinned to cores: ${PIN} or a second core is missing`

/** Cores by role: a server and its load never share one. */
const CORES = { server: '0', load: '1' }

/** What is running, and a promise that rejects when it ends before it was waited for. */
const running = new Map()

/** A node process on the core of its role. */
function start(role, args, stdio, { node = process.execPath } = {}) {
  const command = [node, ...args]
  const [file, ...rest] = canPin ? [PIN, '-c', CORES[role], ...command] : command
  const child = spawn(file, rest, { cwd: root, stdio })
  const death = once(child, 'exit').then(([code, signal]) => {
    running.delete(child)
    throw new Error(`${command.join(' ')} ended: ${signal ?? code}`)
  })
  death.catch(() => undefined)
  running.set(child, death)
  return child
}

/** The next event of a child or of its output, unless the child ends instead. */
const nextOf = (child, event, emitter = child) =>
  Promise.race([once(emitter, event), running.get(child)])

/** A process of the bench that does the jobs of a module when it is asked to. */
export function startHelper(role, file) {
  const args = ['helper.mjs', file].map((name) => join(import.meta.dirname, name))
  const child = start(role, args, ['ignore', 'inherit', 'inherit', 'ipc'])
  return { ask, stop: () => stop(child) }

  async function ask(job, order) {
    const replied = nextOf(child, 'message')
    child.send({ job, order })
    const [response] = await replied
    if (response.error) throw new Error(response.error)
    return response
  }
}

/** A server that says nothing. */
export function startServer(args, options) {
  const child = start('server', args, ['ignore', 'ignore', 'inherit'], options)
  return { pid: child.pid, stop: () => stop(child) }
}

/** The packed sandbox, as `ramp-sandbox start` starts it. */
export async function startSandbox({ args = [], nodeArgs = [] } = {}) {
  const command = [...nodeArgs, CLI, 'start', '--port', '0', '--json', ...args]
  const child = start('server', command, ['ignore', 'pipe', 'inherit'])
  const [line] = await nextOf(child, 'data', child.stdout)
  return { ...JSON.parse(line.toString()), stop: () => stop(child) }
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

export const stopAll = () => Promise.all([...running.keys()].map(stop))
