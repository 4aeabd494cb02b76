import { type ChildProcess, exec, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { reasonOf, SandboxError } from '../client/error.ts'
import { parseJson } from '../client/http.ts'
import { readText } from '../client/read-text.ts'
import { realTime } from '../real-time.ts'
import type { WorldAccess } from './options.ts'

/** Thrown where a receiver does not do what it is asked. */
export class ReceiverFailed extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
  }
}

/** Receiver of a story, with the ways to reset it and to read its state. */
export interface StoryReceiver {
  readonly url: string
  reset(place: WorldAccess): Promise<unknown>
  /** False where it is only started anew, so that it must forget everything when it is killed. */
  readonly canReset: boolean
  state(place: WorldAccess): Promise<unknown>
  reconcile?: ((place: WorldAccess) => Promise<unknown>) | undefined
  /** Process in which the explorer starts and kills it. */
  process?: ReceiverProcess | undefined
}

export interface ReceiverProcess {
  /** Starts it, unless it runs already. */
  start(place: WorldAccess): Promise<void>
  /** Suspends the process until it is killed. */
  stop(): void
  kill(): Promise<void>
}

/** Commands, or URLs: `reset` and `reconcile` are posted, `state` is read. */
export interface ReceiverCommands {
  /** URL where the receiver takes webhooks. */
  webhookUrl: string
  reset?: string | undefined
  /** Takes the signing secret once, before anything else. */
  secret?: string | undefined
  state: string
  reconcile?: string | undefined
  /** Starts the receiver. */
  run?: string | undefined
}

const START_MAX_MS = 30_000
/** A receiver that was started at the same time, by somebody else, may take this long. */
const ARRIVAL_MAX_MS = 10_000
const COMMAND_MAX_MS = 30_000
const KILLED_MAX_MS = 5_000
const LOOK_EVERY_MS = 10
const SHOWN_MAX = 500

/** A receiver behind commands of a shell or URLs. */
export function toReceiver(commands: ReceiverCommands): StoryReceiver {
  const { webhookUrl, reset, secret, state, reconcile, run } = commands
  const started = run === undefined ? undefined : createProcess(run, new URL(webhookUrl))
  const first = [secret, reset].find((text) => text !== undefined && isUrl(text))
  let awaited = !run && first ? toAddress(new URL(first)) : undefined
  let isHandedOver = false
  return {
    url: webhookUrl,
    process: started,
    canReset: reset !== undefined,
    async reset(place) {
      // Without a reset, the receiver is started anew.
      if (reset === undefined) await started?.kill()
      await started?.start(place)
      // If nothing listens in time, the reset says so.
      if (awaited) await becomes(awaited, { isThere: true, limitMs: ARRIVAL_MAX_MS })
      awaited = undefined
      if (secret !== undefined && !isHandedOver) await perform(['--secret', secret], place, place)
      isHandedOver = true
      if (reset !== undefined) await perform(['--reset', reset], place, place)
    },
    async state(place) {
      const read = parseJson(await perform(['--state', state], place))
      return typeof read === 'string' ? read.trim() : read
    },
    reconcile: reconcile
      ? (place: WorldAccess) => perform(['--reconcile', reconcile], place, place)
      : undefined,
  }
}

const toEnv = ({ url, apiKey, signingSecret }: WorldAccess) => ({
  ...process.env,
  RAMP_SANDBOX_URL: url,
  RAMP_SANDBOX_API_KEY: apiKey,
  RAMP_SANDBOX_CONTROL_URL: `${url}/_sandbox`,
  RAMP_SANDBOX_SIGNING_SECRET: signingSecret,
})

/** Runs a command or calls a URL, to which `sent` is posted. */
/** An option and its value. */
type Asked = readonly [option: string, text: string]

async function perform(asked: Asked, place: WorldAccess, sent?: WorldAccess): Promise<string> {
  const [, text] = asked
  if (!isUrl(text)) return runCommand(asked, place)
  // A connection that is kept may be closed by the receiver just when it is used again.
  const headers = { connection: 'close', ...(sent && { 'content-type': 'application/json' }) }
  const init = sent ? { method: 'POST', headers, body: JSON.stringify(sent) } : { headers }
  const signal = AbortSignal.timeout(COMMAND_MAX_MS)
  const response = await fetch(text, { ...init, signal }).catch((error: Error) => {
    throw new Error(`Nothing responds at ${text}: ${reasonOf(error)}.`)
  })
  const body = await readText(response).catch((error: Error) => {
    throw new Error(`${text}: ${error.message}.`)
  })
  if (response.ok) return body
  const said = body.trim().slice(0, SHOWN_MAX)
  throw new Error(`${text} responded with ${response.status}${said ? `: ${said}` : '.'}`)
}

/** Runs a command and returns its output; the error of a failed command quotes the output. */
export async function runCommand([option, command]: Asked, place: WorldAccess): Promise<string> {
  const running = promisify(exec)(command, { env: toEnv(place), timeout: COMMAND_MAX_MS })
  running.child.stdin?.end()
  const { stdout } = await running.catch(({ code, killed, stdout, stderr }) => {
    const printed = (stderr || stdout).trim().slice(0, SHOWN_MAX)
    const how = killed ? `did not end within ${COMMAND_MAX_MS / 1_000} s` : `exited with ${code}`
    throw new Error(`${option} \`${command}\` ${how}${printed ? `: ${printed}` : '.'}`)
  })
  return stdout
}

const isUrl = (text: string) => /^https?:\/\//.test(text)

function createProcess(command: string, webhookUrl: URL): ReceiverProcess {
  const at = toAddress(webhookUrl)
  let running: ChildProcess | undefined
  process.once('exit', () => running && signalGroup(running))
  return {
    async start(place) {
      if (running !== undefined && isAlive(running)) return
      const isThere = await listens(at)
      // The command may have ended when it had started the receiver in the background.
      if (isThere && running !== undefined) return
      if (isThere) throw new Error(`Something else is already listening on ${at.host}:${at.port}.`)
      const env = toEnv(place)
      const child = spawn(command, { shell: true, detached: true, stdio: ['ignore', 2, 2], env })
      running = child
      const until = performance.now() + START_MAX_MS
      while (!(await listens(at))) {
        if (child.exitCode !== null)
          throw new Error(`--run \`${command}\` exited with ${child.exitCode}.`)
        if (performance.now() > until)
          throw new Error(`--run \`${command}\` did not start listening on port ${at.port}.`)
        await realTime.pause(LOOK_EVERY_MS)
      }
    },
    stop() {
      if (running !== undefined && process.platform !== 'win32') signalGroup(running, 'SIGSTOP')
    },
    async kill() {
      const child = running
      running = undefined
      if (child === undefined) return
      const ended = isAlive(child) && once(child, 'exit')
      signalGroup(child)
      await ended
      if (await becomes(at, { isThere: false, limitMs: KILLED_MAX_MS })) return
      const listener = `A process that \`${command}\` started is still listening on ${at.host}:${at.port}`
      const cause = 'a container, or a process in a group of its own, does not exit with it'
      const message = `${listener} although \`${command}\` was killed: ${cause}.`
      throw new SandboxError(message, { code: 'not-killed' })
    },
  }
}

const isAlive = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null

/** Sends a signal to the shell and to what it started. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals = 'SIGKILL') {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
  } catch {
    // It has ended already.
  }
}

interface Address {
  host: string
  port: number
}

function toAddress({ hostname, port, protocol }: URL): Address {
  const usual = protocol === 'https:' ? 443 : 80
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || usual) }
}

/** Waits until something listens at an address, or nothing does; returns false when time is up. */
async function becomes(
  at: Address,
  { isThere, limitMs }: { isThere: boolean; limitMs: number },
): Promise<boolean> {
  const until = performance.now() + limitMs
  while ((await listens(at)) !== isThere) {
    if (performance.now() > until) return false
    await realTime.pause(LOOK_EVERY_MS)
  }
  return true
}

function listens(at: Address): Promise<boolean> {
  const socket = connect({ ...at, autoSelectFamily: true })
  // An address that drops packets gives no error for minutes.
  const signal = AbortSignal.timeout(ARRIVAL_MAX_MS)
  const connected = once(socket, 'connect', { signal }).then(
    () => true,
    () => false,
  )
  return connected.finally(() => socket.destroy())
}
