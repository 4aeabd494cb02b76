import { readFixture } from '../client/fixture-file.ts'
import type { Evidence } from '../coverage/evidence.ts'
import {
  COVERAGE_FOLDER,
  type InheritedLog,
  type InheritedSettings,
  LOG,
  READING,
  readEvidence,
  readInheritedSettings,
} from '../host/exec-environment.ts'
import type { Log } from '../host/log.ts'
import type { OpenSandbox } from '../host/sandbox.ts'
import { runChild } from './child.ts'
import { COVERAGE_OPTIONS } from './coverage-options.ts'
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
  signingSecret?: string
  /** Settings for sandboxes inside the processes of the command. */
  passedOn: InheritedSettings
  /** What its worlds have met. */
  evidence(): Evidence | Promise<Evidence>
  close(): Promise<void>
}

/** `reading` changes settings that neither the command line nor a fixture gives. */
export async function openOwn(
  given: ServingGiven,
  { log, reading }: { log?: Log | undefined; reading?: InheritedSettings } = {},
): Promise<CommandSandbox & Pick<OpenSandbox, 'info'>> {
  const outside = { ...readInheritedSettings(), ...reading }
  const own = readSettings(given.values)
  // A preset sets every setting.
  const passedOn = own.preset === undefined ? { ...outside, ...own } : own
  const options = { ...toStartOptions(given.values), log, reading: outside }
  const sandbox = await serve(options)
  const { info, evidence, close } = sandbox
  const { controlToken } = options
  return { ...describeReady(sandbox, options), info, controlToken, passedOn, evidence, close }
}

const KEEP_ALIVE_EVERY_MS = 60_000

/** Options for a sandbox that runs already. */
const PRIVATE_OPTIONS = [
  'on',
  'fixture',
  'seed',
  'clock',
  'json',
  'control-token',
  ...Object.keys(COVERAGE_OPTIONS),
]

/** The command gets the URL of its world and not the control token, so it reaches no other. */
export async function openPrivateWorld(on: string, given: ServingGiven): Promise<CommandSandbox> {
  const { fixture, seed, clock, 'control-token': controlToken } = given.values
  const wrong = given.named.find((name) => !PRIVATE_OPTIONS.includes(name))
  if (wrong !== undefined) {
    throw invalid(`--${wrong}`, `exec --on uses a sandbox that runs, so it takes no --${wrong}.`)
  }
  return await withSandbox({ url: on, 'control-token': controlToken }, async (main) => {
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
      passedOn: readInheritedSettings(),
      evidence: () =>
        // The command may have ended its world, so that nothing is known of it.
        withSandbox({ url, 'control-token': controlToken }, async () => {
          return { ...(await world.coverage()), under: [], failedControlCalls: [] }
        }),
      async close() {
        clearInterval(timer)
        // If the sandbox does not respond, the world ends by itself later.
        await world.close().catch(() => undefined)
      },
    }
  })
}

/** Variables for the command; an undefined one is removed, even if it was set outside. */
function toEnv(place: CommandSandbox) {
  const { url, apiKey, controlUrl, controlToken, signingSecret, passedOn } = place
  return {
    RAMP_SANDBOX_URL: url,
    RAMP_SANDBOX_API_KEY: apiKey,
    RAMP_SANDBOX_CONTROL_URL: controlUrl ?? undefined,
    RAMP_SANDBOX_CONTROL_TOKEN: controlToken,
    RAMP_SANDBOX_SIGNING_SECRET: signingSecret,
    [READING]: Object.keys(passedOn).length > 0 ? JSON.stringify(passedOn) : undefined,
  }
}

interface Run {
  command: string
  args: readonly string[]
  /** Folder where sandboxes inside its processes write their coverage. */
  folder?: string | undefined
  log?: InheritedLog | undefined
  onOutput?: (text: string) => void
  signal?: AbortSignal
}

/** Runs a command that finds the sandbox in its environment; returns its exit code. */
export function runIn(place: CommandSandbox, { folder, log, ...run }: Run): Promise<number> {
  const own = {
    ...(folder !== undefined && { [COVERAGE_FOLDER]: folder }),
    ...(log !== undefined && { [LOG]: JSON.stringify(log) }),
  }
  return runChild({ ...run, env: { ...process.env, ...toEnv(place), ...own } })
}

/** What a command has met: in the sandbox beside it, and in those of its own processes. */
export async function gatherEvidence(place: CommandSandbox, folder: string): Promise<Evidence[]> {
  return [await place.evidence(), ...readEvidence(folder)]
}
