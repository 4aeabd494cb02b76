import type { Coverage } from '../control-api/wire.ts'
import type { Evidence, RunChange } from '../engine/run-change.ts'
import { readCertificate } from './certificate.ts'
import { keepEvidence, openInheritedLog, readRunChange, toEvidence } from './exec-environment.ts'
import type { Log } from './log.ts'
import { assertControlGuarded, readListens } from './options.ts'
import type { Listening } from './server.ts'
import type { StartOptions } from './start-options.ts'
import { warnOfSunset } from './sunset-warning.ts'
import { DEFAULT_WORLD } from './world-start.ts'
import { Worlds } from './worlds.ts'

export interface OpenOptions extends StartOptions {
  /** Opens no socket if it is `false`. */
  listen?: boolean | undefined
  /** Change of a run of `exec`. Default: that of the `exec` around this process. */
  change?: RunChange | undefined
  /** Followed beside that of an enclosing `exec`. */
  log?: Log | undefined
  /** Replaces the global Request and Response with faster ones. */
  overrideGlobals?: boolean | undefined
}

/** A sandbox of this process that responds. */
export interface OpenSandbox {
  fetch: Worlds['fetch']
  url: string
  port: number
  info: ReturnType<Worlds['info']>
  /** True if `data` held the world already, so that options of its start were ignored. */
  isKept: boolean
  /** Situations that have occurred in its worlds. */
  evidence(): Evidence
  /** Situations that have not occurred but can. */
  coverageOf(evidence: Evidence): Coverage
  close(): Promise<void>
}

/** Never resolves, so a request sent there by mistake fails with an error that shows this name. */
const OFFLINE_HOST = 'ramp-sandbox.invalid'

/** Opens the worlds and listens. Options that cannot work are rejected before that. */
export async function openSandbox(options: OpenOptions): Promise<OpenSandbox> {
  const { data, listen = true, allowHosts = [], change = readRunChange() } = options
  assertControlGuarded(options)
  const certificate = readCertificate(options)
  const store = data === undefined ? undefined : await openData(data)
  const isKept = store?.kept.has(DEFAULT_WORLD) ?? false
  const logs = [options.log, openInheritedLog()].filter((log) => log !== undefined)
  let listening: Listening | undefined
  const worlds = new Worlds({
    ...(options as Omit<OpenOptions, 'settings'>),
    change,
    store,
    allowHosts: listen ? allowHosts : [OFFLINE_HOST, ...allowHosts],
    onOpen(services) {
      for (const log of logs) log.follow(services)
      warnOfSunset(services)
    },
    ...(listen && {
      listens: {
        ...readListens(options),
        port: () => listening?.port ?? options.port,
        certificate: certificate?.cert,
      },
    }),
  })
  const endEvidence = keepEvidence(worlds.situations)
  try {
    if (listen) listening = await listenOn(worlds)
  } catch (error) {
    await worlds.close()
    throw error
  }
  return {
    fetch: worlds.fetch,
    url: listening?.url ?? `http://${OFFLINE_HOST}`,
    port: listening?.port ?? 0,
    info: worlds.info(),
    isKept,
    evidence: () => toEvidence(worlds.situations),
    coverageOf: ({ calls, met }) => worlds.coverageOf({ calls, met: new Set(met) }),
    async close() {
      await listening?.close()
      await worlds.close()
      endEvidence()
    },
  }

  /** The server's code is loaded only when a sandbox listens. */
  async function listenOn({ fetch }: Worlds): Promise<Listening> {
    const { port = 0, host, overrideGlobals } = options
    const server = await import('./server.ts')
    return await server.listen({ fetch, port, host, tls: certificate, overrideGlobals })
  }
}

/** The store's code is loaded only with `data`. */
async function openData(folder: string) {
  const { openStore } = await import('../store/store.ts')
  return await openStore(folder)
}
