import { readFixture } from '../client/fixture-file.ts'
import type { Coverage } from '../control-api/wire.ts'
import type { Evidence, RunChange } from '../engine/run-change.ts'
import {
  EVIDENCE_FOLDER,
  type InheritedLog,
  joinEvidence,
  LOG,
  RUN,
  readEvidence,
  readRunChange,
} from '../host/exec-environment.ts'
import type { Log } from '../host/log.ts'
import type { OpenSandbox } from '../host/sandbox.ts'
import { isMet } from '../http/situations.ts'
import { runChild } from './child.ts'
import { invalid } from './option-values.ts'
import { withSandbox } from './remote.ts'
import { describeReady, serve } from './serving.ts'
import { readSettings, type ServingGiven, toStartOptions } from './serving-options.ts'

/** Environment of a command, and how its sandbox ends. */
export interface CommandSandbox {
  url: string
  apiKey: string
  controlUrl: string | null
  controlToken: string | undefined
  signingSecret?: string | undefined
  /** Options for sandboxes inside the processes of the command. */
  handedOn: RunChange
  /** Situations that have occurred in its world and in other sandboxes. */
  coverage(others: readonly Evidence[]): Coverage | Promise<Coverage>
  close(): Promise<void>
}

/** `run` changes the provider; its settings are those that neither the command line nor a fixture gives. */
export async function openOwn(
  given: ServingGiven,
  { log, run = {} }: { log?: Log | undefined; run?: RunChange } = {},
): Promise<CommandSandbox & Pick<OpenSandbox, 'info' | 'evidence'>> {
  const outside = readRunChange()
  const change = { ...outside, ...run, settings: { ...outside.settings, ...run.settings } }
  const own = readSettings(given.values)
  // A preset sets every setting.
  const settings = own.preset === undefined ? { ...change.settings, ...own } : own
  const options = { ...toStartOptions(given.values), log, change }
  const sandbox = await serve(options)
  const { info, evidence, coverageOf, close } = sandbox
  return {
    signingSecret: change.signingSecret,
    ...describeReady(sandbox, options),
    info,
    controlToken: options.controlToken,
    handedOn: { ...change, settings },
    evidence,
    coverage: (others) => coverageOf(joinEvidence([evidence(), ...others])),
    close,
  }
}

const KEEP_ALIVE_EVERY_MS = 60_000

/** Options for a sandbox that runs already. */
const PRIVATE_OPTIONS = [
  'on',
  'fixture',
  'seed',
  'clock',
  'log',
  'json',
  'control-token',
  'coverage',
  'coverage-require',
]

/** The command gets the URL of its world and not the control token, so it reaches no other. */
export async function openPrivateWorld(on: string, given: ServingGiven): Promise<CommandSandbox> {
  const { fixture, seed, clock, 'control-token': controlToken } = given.values
  const wrong = given.named.find((name) => !PRIVATE_OPTIONS.includes(name))
  if (wrong !== undefined) {
    throw invalid(
      `--${wrong}`,
      `exec --on uses a running sandbox, so it cannot be combined with --${wrong}.`,
    )
  }
  return await withSandbox(
    { url: on, option: '--on', 'control-token': controlToken },
    async (main) => {
      const start = { fixture: readFixture(fixture), seed, clock }
      const { name, baseUrl: url } = await main.worlds.create(start)
      const world = main.world(name)
      const [owner] = (await world.info()).integrators
      // The command may make no call for longer than a private world may be idle.
      const keepAlive = () => void world.control('GET', '/health').catch(() => undefined)
      const timer = setInterval(keepAlive, KEEP_ALIVE_EVERY_MS).unref()
      return {
        url,
        apiKey: owner?.apiKey ?? '',
        controlUrl: `${url}/_sandbox`,
        controlToken: undefined,
        handedOn: readRunChange(),
        coverage: (others) =>
          // The command may have ended its world, so that nothing is known of it.
          withSandbox({ url, 'control-token': controlToken }, async () =>
            addEvidence(await world.coverage(), joinEvidence(others)),
          ),
        async close() {
          clearInterval(timer)
          // If the sandbox does not respond, the world ends by itself later.
          await world.close().catch(() => undefined)
        },
      }
    },
  )
}

/** Variables for the command; an undefined one is removed, even if it was set outside. */
function toEnv(place: CommandSandbox) {
  const { url, apiKey, controlUrl, controlToken, signingSecret, handedOn } = place
  const { settings, ...others } = handedOn
  const isPlain = Object.keys({ ...settings, ...others }).length === 0
  return {
    RAMP_SANDBOX_URL: url,
    RAMP_SANDBOX_API_KEY: apiKey,
    RAMP_SANDBOX_CONTROL_URL: controlUrl ?? undefined,
    RAMP_SANDBOX_CONTROL_TOKEN: controlToken,
    RAMP_SANDBOX_SIGNING_SECRET: signingSecret,
    [RUN]: isPlain ? undefined : JSON.stringify(handedOn),
  }
}

interface Run {
  command: string
  args: readonly string[]
  /** Folder where sandboxes inside its processes write what they have met. */
  folder?: string | undefined
  log?: InheritedLog | undefined
  onOutput?: (text: string) => void
  signal?: AbortSignal
}

/** Runs a command that finds the sandbox in its environment; returns its exit code. */
export function runIn(place: CommandSandbox, { folder, log, ...run }: Run): Promise<number> {
  const own = {
    ...(folder !== undefined && { [EVIDENCE_FOLDER]: folder }),
    ...(log !== undefined && { [LOG]: JSON.stringify(log) }),
  }
  return runChild({ ...run, env: { ...process.env, ...toEnv(place), ...own } })
}

/** Gathers the situations that have occurred in the sandbox of a command and in those of its processes. */
export const gatherCoverage = async (place: CommandSandbox, folder: string): Promise<Coverage> =>
  await place.coverage(readEvidence(folder))

/** Adds what other sandboxes have met to the coverage of a world. */
function addEvidence(coverage: Coverage, { calls, met }: Evidence): Coverage {
  return {
    calls: coverage.calls + calls,
    met: [...new Set([...coverage.met, ...met])],
    neverMet: coverage.neverMet.filter(({ id }) => !isMet(id, met)),
  }
}
