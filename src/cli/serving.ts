import type { Evidence } from '../coverage/evidence.ts'
import {
  type InheritedSettings,
  openInheritedLog,
  readInheritedSettings,
  toEvidence,
  writeCoverageAtExit,
} from '../host/exec-environment.ts'
import type { Log } from '../host/log.ts'
import { type Certificate, type Listening, listen } from '../host/server.ts'
import { Worlds } from '../host/worlds.ts'
import { DomainError } from '../world/domain-error.ts'
import {
  readListens,
  readWorldsOptions,
  type ServingGiven,
  type ServingValues,
} from './serving-options.ts'
import { readCertificate } from './tls.ts'

interface ServeOptions {
  log?: Log | undefined
  /** Default: those of an enclosing `exec`. */
  reading?: InheritedSettings
}

/**
 * Opens the worlds and listens, on any free port where none is named. Options that cannot work are
 * rejected before that.
 */
export async function serve(
  { values, named }: ServingGiven,
  { log, reading = readInheritedSettings() }: ServeOptions = {},
): Promise<Serving> {
  const options = readWorldsOptions(values)
  const { data } = values
  const store = data === undefined ? undefined : await openData(data)
  const isKept = store?.kept.has(MAIN_WORLD) ?? false
  const tls = readCertificate(values)
  let { port = 0 } = values
  const logs = [log, openInheritedLog()].filter((each) => each !== undefined)
  const worlds = new Worlds({
    ...options,
    reading,
    store,
    listens: { ...readListens(values), port: () => port, certificate: tls?.cert },
    onOpen: (services) => {
      for (const each of logs) each.follow(services)
    },
  })
  const listening = await listenTo(worlds, values, tls)
  port = listening.port
  const ignored = isKept ? STARTING_OPTIONS.filter((name) => named.includes(name)) : []
  return new Serving(values, { worlds, listening, ignored })
}

/** A sandbox that responds. */
export class Serving {
  readonly info: ReturnType<Worlds['info']>
  readonly controlToken: string | undefined
  /** Start options that were ignored, because `--data` already holds the world. */
  readonly ignored: readonly string[]
  /** Facts that a script needs to know about a running sandbox. */
  readonly ready: ReturnType<typeof describeReady>
  readonly fetch: Worlds['fetch']
  readonly #worlds: Worlds
  readonly #listening: Listening
  readonly #writeCoverage: () => void

  constructor(values: ServingValues, parts: ServingParts) {
    const { worlds, listening, ignored } = parts
    this.#worlds = worlds
    this.#listening = listening
    this.#writeCoverage = writeCoverageAtExit(worlds)
    this.info = worlds.info()
    this.controlToken = values['control-token']
    this.ignored = ignored.map((name) => `--${name}`)
    this.fetch = worlds.fetch
    this.ready = describeReady(values, listening, this.info)
  }

  /** Collects the situations that were met, and the values of inherited settings at the time. */
  evidence(): Evidence {
    return toEvidence(this.#worlds)
  }

  async close(): Promise<void> {
    await this.#listening.close()
    await this.#worlds.close()
    this.#writeCoverage()
  }
}

interface ServingParts {
  worlds: Worlds
  listening: Listening
  ignored: readonly string[]
}

function describeReady(values: ServingValues, { url, port }: Listening, info: Serving['info']) {
  const { 'webhook-url': webhookUrl } = values
  const controlUrl = values['no-control'] ? null : `${url}/_sandbox`
  return {
    event: 'ready',
    url,
    port,
    apiKey: info.apiKey,
    controlUrl,
    dashboardUrl: controlUrl && `${controlUrl}/`,
    version: __VERSION__,
    webhookUrl,
    ...(webhookUrl !== undefined && { signingSecret: info.signingSecret ?? '' }),
  }
}

/** The world at the base URL. */
const MAIN_WORLD = 'default'

/** Options that say how a world starts. */
const STARTING_OPTIONS = ['fixture', 'seed', 'clock', 'contract-only', 'settings', 'set']

async function listenTo(worlds: Worlds, values: ServingValues, tls?: Certificate) {
  const { port = 0, host } = values
  try {
    return await listen({ fetch: worlds.fetch, port, host, tls, overrideGlobals: true })
  } catch (error) {
    throw await toBusyError(error, host ?? '127.0.0.1', port)
  }
}

const RESPONSE_MAX_MS = 1_000

const FOUND_BY =
  'Other commands then find it with --url, or with RAMP_SANDBOX_URL in the environment.'

/**
 * Explains a taken port, and names the other sandbox if it is one. Other errors stay as they are.
 */
async function toBusyError(error: unknown, host: string, port: number): Promise<unknown> {
  if (!(error instanceof DomainError) || error.code !== 'EADDRINUSE') return error
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const signal = AbortSignal.timeout(RESPONSE_MAX_MS)
  const health = await fetch(`${url}/_sandbox/health`, { signal })
    .then((response) => response.json() as Promise<{ status: string; version: string }>)
    .catch(() => undefined)
  if (health?.status !== 'ok') {
    return new DomainError(error.code, error.message, { field: 'port', hint: FOUND_BY })
  }
  const message = `Port ${port} is taken by another ramp-sandbox (${health.version}), which responds at ${url}.`
  const hint = `Use that one, end it, or choose another port with --port (0 for any free one). ${FOUND_BY}`
  return new DomainError('conflict', message, { field: 'port', hint })
}

/** What it needs is loaded only with `--data`. */
async function openData(folder: string) {
  const { openStore } = await import('../store/store.ts')
  return await openStore(folder)
}
