import { readFixture } from '../client/fixture-file.ts'
import { mergeCoverage } from '../coverage/report.ts'
import type { Coverage } from '../levers/wire.ts'
import { createTemporaryFolder } from '../temporary-folder.ts'
import { runChild } from './child.ts'
import { createCommand, type OptionSpecs, type Values } from './command.ts'
import {
  DEMAND_OPTIONS,
  demand,
  printReport,
  readCoverageFolder,
  toReport,
  writeCoverage,
} from './coverage-options.ts'
import { type LiveLog, LOG_LEVEL, openLog } from './live-log.ts'
import { invalid } from './option-values.ts'
import { readProjectArgs } from './project-file.ts'
import { withSandbox } from './remote.ts'
import { serve } from './serving.ts'
import { controlTokenOf, SERVING_OPTIONS, type ServingGiven } from './serving-options.ts'
import { type Tls, toTrusted } from './tls.ts'

const COVERAGE_OPTIONS = {
  coverage: { value: 'FILE', help: 'a file for the situations of the contract that it has met' },
  ...DEMAND_OPTIONS,
} as const satisfies OptionSpecs

export const exec = createCommand({
  usage: 'exec [options] -- COMMAND [ARGUMENT]…',
  about:
    'Starts a sandbox on a free port, runs a command that finds it in RAMP_SANDBOX_URL,\n' +
    'RAMP_SANDBOX_API_KEY and RAMP_SANDBOX_CONTROL_URL, and ends with the exit code of the command.',
  options: {
    on: {
      value: 'URL',
      help: 'use a private world of the sandbox at URL for as long as the command runs',
    },
    ...COVERAGE_OPTIONS,
    ...SERVING_OPTIONS,
    log: {
      ...LOG_LEVEL,
      standard: 'off',
      help: 'say on stderr why calls were refused (errors), or each call and webhook (all)',
    },
    verbose: { help: 'say on stderr where the sandbox is, and how the command ended' },
    json: { short: 'j', help: 'say so as lines of JSON' },
  },
  likeStart: SERVING_OPTIONS,
  fromEnv: true,
  // Its own sandbox takes a free port and keeps nothing; one that runs has its own options.
  fromProject: (args) => (isOn(args) ? [] : readProjectArgs(SERVING_OPTIONS, ['port', 'data'])),
  exits: {
    N: 'The exit code of the command; 128 and the number of a signal that ended it.',
    1: 'The command ended with 1, or its coverage was asked for and it made no call of the contract.',
    3: 'The command ended with 0, and a demand on its coverage was not met.',
  },
  async act({ values, named, rest: [command, ...args] }) {
    if (command === undefined) {
      throw invalid('command', 'There is no command to run.', 'ramp-sandbox exec -- npm test')
    }
    const { on, json, verbose } = values
    const log = openLog(values.log, { json, stream: process.stderr })
    const given = { values, named }
    const place = await (on === undefined ? openOwn(given, log) : openPrivateWorld(on, given))
    const { url, apiKey, controlUrl } = place
    const say = (event: object, text: string) => {
      const line = json ? JSON.stringify(event) : `ramp-sandbox: ${text}`
      if (json || verbose) process.stderr.write(`${line}\n`)
    }
    say({ event: 'ready', url, apiKey, controlUrl }, `${url} (API key ${apiKey})`)
    try {
      const folder = isCovered(values) ? createTemporaryFolder() : undefined
      const env = { ...process.env, ...toEnv(place), RAMP_SANDBOX_COVERAGE: folder }
      const ended = await runChild({ command, args, env })
      const judged = folder === undefined ? 0 : await judge(place, folder, values)
      process.exitCode = ended === 0 ? judged : ended
      const { exitCode } = process
      say({ event: 'ended', command, exitCode }, `${command} ended with ${exitCode}`)
    } finally {
      await place.close()
    }
  },
})

type Covered = Values<typeof COVERAGE_OPTIONS>

const isCovered = (values: Covered) =>
  values.coverage !== undefined ||
  values['coverage-min'] !== undefined ||
  values['coverage-require'].length > 0

/** Joins what the command met here and in sandboxes of its own, and says what it lacks. */
async function judge(place: CommandSandbox, folder: string, values: Covered): Promise<number> {
  const coverages = [await place.coverage(), ...readCoverageFolder(folder)]
  const report = toReport(coverages, values)
  if (values.coverage) writeCoverage('--coverage', values.coverage, mergeCoverage(coverages))
  printReport(report, { stream: process.stderr })
  return demand(report, values)
}

const isOn = (args: readonly string[]) => {
  const end = args.indexOf('--')
  return args.slice(0, end === -1 ? args.length : end).some((arg) => /^--on(=|$)/.test(arg))
}

/** Environment of a command, and how its sandbox ends. */
interface CommandSandbox {
  url: string
  apiKey: string
  controlUrl: string | null
  controlToken: string | undefined
  tls?: Tls | undefined
  signingSecret?: string
  /** Situations that its worlds have met. */
  coverage(): Coverage | Promise<Coverage>
  close(): Promise<void>
}

async function openOwn(given: ServingGiven, log: LiveLog | undefined): Promise<CommandSandbox> {
  const serving = await serve(given, log)
  const { controlToken, tls } = serving
  return {
    ...serving.ready,
    controlToken,
    tls,
    coverage: () => serving.coverage(),
    close: () => serving.close(),
  }
}

/** How long its world outlives a command that was killed. */
const TTL = '10m'
const KEEP_ALIVE_EVERY_MS = 60_000

/** Options for a sandbox that runs already. */
const PRIVATE_OPTIONS = [
  ...['on', 'fixture', 'seed', 'clock', 'verbose', 'json', 'control-token', 'control-token-file'],
  ...Object.keys(COVERAGE_OPTIONS),
]

/** The command gets the URL of its world and not the control token, so it reaches no other. */
async function openPrivateWorld(on: string, given: ServingGiven): Promise<CommandSandbox> {
  const { fixture, seed, clock } = given.values
  const wrong = given.named.find((name) => !PRIVATE_OPTIONS.includes(name))
  if (wrong !== undefined) {
    throw invalid(`--${wrong}`, `exec --on uses a sandbox that runs, so it takes no --${wrong}.`)
  }
  const controlToken = controlTokenOf(given.values)
  return await withSandbox({ url: on, 'control-token': controlToken }, async (main) => {
    const start = { fixture: readFixture(fixture), seed, clock }
    const { name, baseUrl: url } = await main.worlds.create({ ttl: TTL, ...start })
    const world = main.world(name)
    const [owner] = (await world.info()).integrators
    const keepAlive = () => void world.control('GET', '/health').catch(() => undefined)
    const timer = setInterval(keepAlive, KEEP_ALIVE_EVERY_MS).unref()
    return {
      url,
      apiKey: owner?.apiKey ?? '',
      controlUrl: `${url}/_sandbox`,
      controlToken: undefined,
      coverage: () => world.coverage(),
      async close() {
        clearInterval(timer)
        // Without a response it ends by itself.
        await world.close().catch(() => undefined)
      },
    }
  })
}

/** Leaves out what is undefined, whatever was set outside. */
function toEnv({ url, apiKey, controlUrl, controlToken, tls, signingSecret }: CommandSandbox) {
  return {
    RAMP_SANDBOX_URL: url,
    RAMP_SANDBOX_API_KEY: apiKey,
    RAMP_SANDBOX_CONTROL_URL: controlUrl ?? undefined,
    RAMP_SANDBOX_CONTROL_TOKEN: controlToken,
    // Node trusts it at once; other programs can be pointed to it.
    ...(tls?.isSelfSigned && {
      NODE_EXTRA_CA_CERTS: toTrusted(tls, process.env.NODE_EXTRA_CA_CERTS),
    }),
    RAMP_SANDBOX_CA_CERT: tls?.certFile,
    RAMP_SANDBOX_SIGNING_SECRET: signingSecret,
  }
}
