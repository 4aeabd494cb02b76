import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { realTime } from '../real-time.ts'

/** Where a receiver finds the API of the world that it is told about. */
export interface WorldAccess {
  url: string
  apiKey: string
  signingSecret: string
}

/** The receiver of a story, and how it is asked and begun anew. */
export interface StoryReceiver {
  readonly url: string
  reset(place: WorldAccess): Promise<unknown>
  state(place: WorldAccess): Promise<unknown>
  reconcile?: ((place: WorldAccess) => Promise<unknown>) | undefined
  /** Where the explorer starts and kills it. */
  process?: ReceiverProcess | undefined
}

export interface ReceiverProcess {
  /** Does nothing while it runs. */
  start(place: WorldAccess): Promise<void>
  kill(): Promise<void>
}

export interface ReceiverCommands {
  webhookUrl: string
  reset?: string | undefined
  state: string
  reconcile?: string | undefined
  run?: string | undefined
}

const START_MAX_MS = 30_000
const COMMAND_MAX_MS = 30_000
const LOOK_EVERY_MS = 10
const SHOWN_MAX = 500

/** A receiver behind commands of a shell or URLs. */
export function toReceiver(commands: ReceiverCommands): StoryReceiver {
  const { webhookUrl, reset, state, reconcile, run } = commands
  const started = run === undefined ? undefined : createProcess(run, new URL(webhookUrl))
  return {
    url: webhookUrl,
    process: started,
    async reset(place) {
      // A receiver that nothing resets begins anew when it is started again.
      if (reset === undefined) await started?.kill()
      await started?.start(place)
      if (reset !== undefined) await perform(reset, { place, method: 'POST' })
    },
    state: async (place) => parse(await perform(state, { place, method: 'GET' })),
    reconcile:
      reconcile === undefined
        ? undefined
        : (place) => perform(reconcile, { place, method: 'POST' }),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text.trim()
  }
}

const isUrl = (text: string) => /^https?:\/\//.test(text)

const toEnv = ({ url, apiKey, signingSecret }: WorldAccess) => ({
  ...process.env,
  RAMP_SANDBOX_URL: url,
  RAMP_SANDBOX_API_KEY: apiKey,
  RAMP_SANDBOX_CONTROL_URL: `${url}/_sandbox`,
  RAMP_SANDBOX_SIGNING_SECRET: signingSecret,
})

async function perform(text: string, { place, method }: { place: WorldAccess; method: string }) {
  return isUrl(text) ? call(text, { place, method }) : runCommand(text, place)
}

async function call(url: string, { place, method }: { place: WorldAccess; method: string }) {
  const sent =
    method === 'GET'
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(place) }
  const signal = AbortSignal.timeout(COMMAND_MAX_MS)
  const response = await fetch(url, { method, signal, ...sent }).catch((error: Error) => {
    throw new Error(`Nothing answers at ${url}: ${error.message}.`)
  })
  const text = await response.text()
  if (response.ok) return text
  throw new Error(`${method} ${url} answered ${response.status}: ${text.slice(0, SHOWN_MAX)}`)
}

/** What a command prints; one that fails says so with what it printed. */
export async function runCommand(command: string, place: WorldAccess): Promise<string> {
  const child = spawn(command, { shell: true, env: toEnv(place), timeout: COMMAND_MAX_MS })
  let [out, err] = ['', '']
  child.stdout.on('data', (part) => {
    out += part
  })
  child.stderr.on('data', (part) => {
    err += part
  })
  child.stdin.end()
  const [code] = await once(child, 'close')
  if (code === 0) return out
  throw new Error(`${command} ended with ${code}. ${(err || out).trim().slice(0, SHOWN_MAX)}`)
}

function createProcess(command: string, { hostname, port, protocol }: URL): ReceiverProcess {
  const at = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || USUAL[protocol]) }
  let running: ChildProcess | undefined
  const stop = () => void (running?.pid && signalGroup(running.pid))
  process.once('exit', stop)
  return {
    async start(place) {
      if (running !== undefined) return
      if (await listens(at)) throw new Error(`Something else listens at ${at.host}:${at.port}.`)
      const env = toEnv(place)
      const child = spawn(command, { shell: true, detached: true, stdio: ['ignore', 2, 2], env })
      running = child
      const until = performance.now() + START_MAX_MS
      while (!(await listens(at))) {
        if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}.`)
        if (performance.now() > until) throw new Error(`${command} does not listen at ${at.port}.`)
        await realTime.pause(LOOK_EVERY_MS)
      }
    },
    async kill() {
      const child = running
      running = undefined
      if (child?.pid === undefined) return
      const ended = child.exitCode === null && child.signalCode === null && once(child, 'exit')
      signalGroup(child.pid)
      await ended
      while (await listens(at)) await realTime.pause(LOOK_EVERY_MS)
    },
  }
}

const USUAL: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/** The shell and what it started. */
function signalGroup(pid: number) {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

function listens(at: { host: string; port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ ...at, autoSelectFamily: true })
    const end = (is: boolean) => () => {
      socket.destroy()
      resolve(is)
    }
    socket.once('connect', end(true)).once('error', end(false))
  })
}
