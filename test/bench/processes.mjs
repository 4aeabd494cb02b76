import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

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

/** What is running, and a promise that rejects when it ends before it was waited for. */
const running = new Map()

/** A node process on the core of its role. */
const start = (role, args, stdio) => run(role, [process.execPath, ...args], stdio)

function run(role, command, stdio) {
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

/** A helper of the bench that answers messages. */
export function startHelper(role, file) {
  const child = start(role, [fileHere(file)], ['ignore', 'inherit', 'inherit', 'ipc'])
  return { ask: (message) => askChild(child, message), stop: () => stop(child) }
}

/** A server that says nothing. */
export function startServer(args) {
  const child = start('server', args, ['ignore', 'ignore', 'inherit'])
  return { pid: child.pid, stop: () => stop(child) }
}

/** The packed sandbox, as `ramp-sandbox start` starts it; with a probe, `ask` returns its heap. */
export async function startSandbox({ args = [], nodeArgs = [], probe = false } = {}) {
  const options = ['start', '--port', '0', '--json', ...args]
  const probing = probe ? ['--expose-gc', '--import', fileHere('heap-probe.mjs')] : []
  const command = [...nodeArgs, ...probing, CLI, ...options]
  const stdio = ['ignore', 'pipe', 'inherit', ...(probe ? ['ipc'] : [])]
  const child = start('server', command, stdio)
  const [line] = await nextOf(child, 'data', child.stdout)
  const ask = () => askChild(child, {})
  return { ...JSON.parse(line.toString()), ask, stop: () => stop(child) }
}

/** The same with its live log in `/dev/null`, or on a terminal whose program has the other core. */
export async function startLogging({ args, nodeArgs, log, folder }) {
  const file = join(folder, 'ready.json')
  const options = ['start', '--port', '0', '--log', 'all', '--ready-file', file]
  const command = [...nodeArgs, CLI, ...options, ...args]
  const child = log === '/dev/null' ? start('server', command, 'ignore') : startOnTerminal(command)
  while (!existsSync(file)) await pause(20)
  return { ...JSON.parse(readFileSync(file, 'utf8')), stop: () => stop(child) }
}

function startOnTerminal(command) {
  const pinned = canPin ? [PIN, '-c', CORES.server] : []
  const line = [...pinned, process.execPath, ...command].map((word) => `'${word}'`).join(' ')
  return run('load', ['script', '-qec', line, '/dev/null'], 'ignore')
}

const fileHere = (file) => join(import.meta.dirname, file)

async function askChild(child, message) {
  const answered = nextOf(child, 'message')
  child.send(message)
  const [answer] = await answered
  if (answer.error) throw new Error(answer.error)
  return answer
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

export const stopAll = () => Promise.all([...running.keys()].map(stop))
