import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
export const CLI = join(root, 'dist/cli.js')

/** From util-linux: Linux only, and not everywhere there. */
const PIN = 'taskset'
const canPin = availableParallelism() > 1 && spawnSync(PIN, ['-V']).status === 0
export const PINNING = canPin
  ? 'servers on core 0, load on core 1'
  : `not pinned to cores: ${PIN} or a second core is missing`

/** Cores by role: a server and its load never share one. */
const CORES = { server: '0', load: '1' }

const running = new Set()

/** A node process on the core of its role. */
function start(role, args, stdio) {
  const command = [process.execPath, ...args]
  const [file, ...rest] = canPin ? [PIN, '-c', CORES[role], ...command] : command
  const child = spawn(file, rest, { cwd: root, stdio })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** A helper of the bench that answers messages. */
export function startHelper(role, file) {
  const path = join(import.meta.dirname, file)
  const child = start(role, [path], ['ignore', 'inherit', 'inherit', 'ipc'])
  return {
    async ask(message) {
      child.send(message)
      const [answer] = await once(child, 'message')
      if (answer.error) throw new Error(answer.error)
      return answer
    },
    stop: () => stop(child),
  }
}

/** A server that says nothing. */
export function startServer(args) {
  const child = start('server', args, ['ignore', 'ignore', 'inherit'])
  return { pid: child.pid, stop: () => stop(child) }
}

/** The packed sandbox, as `ramp-sandbox start` starts it. */
export async function startSandbox({ args = [], nodeArgs = [] } = {}) {
  const options = ['start', '--port', '0', '--json', ...args]
  const child = start('server', [...nodeArgs, CLI, ...options], ['ignore', 'pipe', 'inherit'])
  const [line] = await once(child.stdout, 'data')
  return { ...JSON.parse(line.toString()), stop: () => stop(child) }
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

export const stopAll = () => Promise.all([...running].map(stop))
