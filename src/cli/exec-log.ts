import { setTimeout as delay } from 'node:timers/promises'
import { FailureSummary } from '../host/failure-summary.ts'
import { isError, Log, type LogEntry } from '../host/log.ts'
import { NOT_FOUND, NOT_RUNNABLE } from './child.ts'
import type { CommandSandbox } from './exec-place.ts'
import { followLogsIn, LogPrinter } from './live-log.ts'
import { printText } from './terminal.ts'

interface ExecLogOptions {
  level: 'all' | 'errors' | 'off'
  /** True for `--log off`: nothing is printed, not even when the command fails. */
  isSilent: boolean
  json: boolean
}

/** Ended by Ctrl-C, so the user knows why. */
const INTERRUPTED = 130
/** Time for the connections of a command that has ended to break. */
const BREAKING_MAX_MS = 50

/**
 * What `exec` prints of the sandbox beside its command, and of those in the processes of the command:
 * lines as it happens, where `--log` asks for them, and a summary when the command has failed.
 */
export class ExecLog {
  /** For the sandbox beside the command. */
  readonly log: Log | undefined
  readonly #options: ExecLogOptions
  readonly #summary = new FailureSummary()
  readonly #printer: LogPrinter
  #stop: (() => boolean) | undefined
  #leave: (() => Promise<void>) | undefined

  constructor(options: ExecLogOptions) {
    this.#options = options
    this.#printer = new LogPrinter({ json: options.json, stream: process.stderr })
    const { level, isSilent } = options
    if (!isSilent) this.log = new Log(level === 'all' ? 'all' : 'findings', this.#take)
  }

  /** Follows what the sandboxes of the command write to a folder, if there is one. */
  follow(folder: string) {
    const { level, isSilent } = this.#options
    if (isSilent) return undefined
    const start = () => followLogsIn(folder, this.#take)
    const stop = level === 'off' ? undefined : start()
    this.#stop = stop ?? (() => start()())
    return { level: level === 'all' ? ('all' as const) : ('findings' as const), folder }
  }

  /** Follows a world of a sandbox that runs elsewhere. */
  async followWorld(place: CommandSandbox): Promise<void> {
    if (this.#options.isSilent) return
    // Loaded late, because web streams would take a part of every start.
    const { followWorld } = await import('./logs.ts')
    this.#leave = await followWorld(place, this.#take)
  }

  readonly #take = (entry: LogEntry): void => {
    const { level } = this.#options
    this.#summary.add(entry)
    if (level === 'all' || (level === 'errors' && isError(entry.subject)))
      this.#printer.print(entry)
  }

  /** Prints the rest of the lines, and what the sandbox saw if the command has failed. */
  async end(code: number, place: CommandSandbox): Promise<void> {
    if (this.#options.isSilent) return
    const isFailed = ![0, INTERRUPTED, NOT_FOUND, NOT_RUNNABLE].includes(code)
    if (isFailed) await delay(BREAKING_MAX_MS)
    await this.#leave?.()
    const hasOthers = this.#stop?.() ?? false
    if (!isFailed) return
    const title = `ramp-sandbox: the command exited with ${code}. What the sandbox saw:`
    const { findings } = this.#summary
    if (findings.length > 0) {
      const json = JSON.stringify({ event: 'failed', findings })
      printText(this.#options.json ? json : this.#summary.format(title), process.stderr)
    } else if (!this.#options.json && !hasOthers && (await hasNoCalls(place))) {
      printText(`${title} ${UNUSED}`, process.stderr)
    }
  }
}

async function hasNoCalls({ coverage }: CommandSandbox): Promise<boolean> {
  try {
    return (await coverage([])).calls === 0
  } catch {
    // The command has ended its world.
    return false
  }
}

const UNUSED =
  'no API calls (calls to the control API are not counted). ' +
  'If the tests ran, does your client read its base URL from RAMP_SANDBOX_URL?'
