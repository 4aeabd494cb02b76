import { type Calibration, calibrate } from '../../src/calibrate/calibrate.ts'
import { toSettingsFile } from '../../src/calibrate/findings.ts'
import { type Judged, judge } from '../../src/calibrate/judge.ts'
import type { CodeSource, Level } from '../../src/calibrate/run.ts'
import { openModel } from '../../src/cli/calibrate.ts'
import { createCodeSource } from '../../src/cli/login-codes.ts'
import { createReceiver } from '../../src/client/receiver.ts'
import { OPERATIONS } from '../../src/host/operations.ts'
import { parseSettings, toSettings } from '../../src/world/settings/index.ts'
import type { SettingValue } from '../../src/world/settings/setting.ts'

/** A provider that listens, and where its login codes arrive. */
export interface Listening {
  url: string
  apiKey: string
  secondApiKey: string
  user: string
  codesUrl: string
  /** Resolves once every event so far has arrived. */
  idle(): Promise<unknown>
}

type Send = (url: string, init: RequestInit) => Promise<Response>

export interface MeasureOptions {
  level?: Level
  /** What an earlier run wrote. */
  file?: SettingsFile
  user?: string
  codesUrl?: string
  receives?: boolean
  /** Stands between the run and the provider. */
  misbehave?: (send: Send) => Send
}

export interface SettingsFile {
  settings: Record<string, SettingValue>
  accepted: Judged['accepted']
}

export interface Measured {
  run: Calibration
  judged: Judged
  file: SettingsFile
}

let runs = 0

/** Longer than this process ever stands still. */
const STALL_MAX_MS = 60_000

/** One run against a provider, through the network, without the command line. */
export async function measure(
  provider: Listening,
  options: MeasureOptions = {},
): Promise<Measured> {
  const { level = 'money', file, user = provider.user, codesUrl = provider.codesUrl } = options
  const { receives = true, misbehave = (send: Send) => send } = options
  const { signal } = new AbortController()
  const receiver = receives ? await createReceiver({ respond: 204 }) : undefined
  const run = await calibrate({
    provider: {
      url: provider.url,
      fetch: misbehave((url, init) => fetch(url, init)),
      apiKey: provider.apiKey,
      secondApiKey: provider.secondApiKey,
      codes: readCodes(codesUrl, signal),
      receiver: receiver && {
        url: receiver.url,
        waitMs: 0,
        async next(matches, waitMs) {
          await provider.idle()
          return await receiver.next(matches, waitMs)
        },
      },
    },
    operations: OPERATIONS,
    level,
    settings: toSettings(parseSettings(file?.settings ?? {})),
    earlier: file && { settings: file.settings, others: file.accepted.settings },
    user,
    newUsers: 'qa+*@example.com',
    tag: `run${++runs}`,
    timeoutMs: STALL_MAX_MS,
    waitMaxMs: 60_000,
    now: Date.now,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    signal,
    openModel,
    say: () => undefined,
  })
  await receiver?.close()
  const judged = judge(run, { file, canWrite: true })
  const written = { settings: toSettingsFile(run.findings), accepted: judged.accepted }
  return { run, judged, file: JSON.parse(JSON.stringify(written)) }
}

/** These providers show a code at once, so one look at the inbox is enough. */
function readCodes(url: string, signal: AbortSignal): CodeSource {
  const source = createCodeSource(url, signal, { pageMaxMs: STALL_MAX_MS })
  return async (email) => {
    const read = await source(email)
    return () => read(0)
  }
}
