import {
  type CalibrateOptions,
  type Calibration,
  calibrate,
  type Model,
} from '../../src/calibrate/calibrate.ts'
import type { Level } from '../../src/calibrate/run.ts'
import { openModel } from '../../src/cli/calibrate.ts'
import type { Sandbox } from '../../src/client/client.ts'
import { createReceiver } from '../../src/client/receiver.ts'
import type { FixtureDocument } from '../../src/fixture/format.ts'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import { OPERATIONS } from '../../src/host/operations.ts'
import { parseSettings, settingOf, toSettings } from '../../src/world/settings/index.ts'
import type { SettingValue } from '../../src/world/settings/setting.ts'
import { PROFILE } from '../helpers/story.ts'

/** After the day on which v1 is to stop, so that it shows whether it did. */
export const NOW = '2026-09-01T12:00:00Z'
export const USER = 'alice@example.com'
export const [KEY, SECOND_KEY] = ['provider-key', 'provider-key-2']

export const FIXTURE: FixtureDocument = {
  integrators: [
    { name: 'ours', apiKey: KEY },
    { name: 'ours-too', apiKey: SECOND_KEY },
  ],
  users: [{ email: USER, status: 'verified', profile: { ...PROFILE, purpose: 'Savings' } }],
}

type Send = (url: string, init: RequestInit) => Promise<Response>

export interface SecondSandbox {
  settings?: Record<string, SettingValue>
  fixture?: FixtureDocument
  /** In place of one that is made from the settings and the fixture, and closed. */
  sandbox?: Sandbox
  level?: Level
  /** Whether the provider can send events to the run. */
  receives?: boolean
  /** False for a test that looks at the provider alone: nothing responds to the same calls. */
  isCompared?: boolean
  options?: Partial<CalibrateOptions>
  /** Stands between the run and the provider. */
  misbehave?: (send: Send) => Send
}

/** Calibrates against another sandbox that plays the provider. */
export async function calibrateSecond(second: SecondSandbox = {}): Promise<Calibration> {
  const { settings, level = 'read', receives = false, fixture = FIXTURE, options } = second
  const { misbehave = (send: Send) => send, isCompared = true } = second
  await using own = await createSandbox({ fixture, settings, clock: NOW, listen: false })
  const sandbox = second.sandbox ?? own
  const send: Send = async (url, init) => {
    const response = await sandbox.fetch(url, init)
    const headers = new Headers(response.headers)
    headers.set('date', new Date(NOW).toUTCString())
    const body = response.status === 204 ? null : await response.text()
    return new Response(body, { status: response.status, headers })
  }
  const receiver = receives ? await createReceiver({ respond: 204 }) : undefined
  const calibration = await calibrate({
    provider: {
      url: sandbox.url,
      fetch: misbehave(send),
      apiKey: KEY,
      secondApiKey: SECOND_KEY,
      // A code is there once it was asked for, or never comes.
      codes: async (email) => () =>
        sandbox.inbox.loginCode(email, { timeout: 0 }).catch(() => undefined),
      receiver: receiver && {
        url: receiver.url,
        // After the drain, every event has arrived.
        waitMs: 0,
        async next(matches, waitMs) {
          await sandbox.webhooks.drain()
          return await receiver.next(matches, waitMs)
        },
      },
    },
    operations: OPERATIONS,
    level,
    settings: toSettings({}),
    user: USER,
    newUsers: 'qa+*@example.com',
    tag: 'run',
    timeoutMs: 60_000,
    waitMaxMs: 1_000,
    now: () => Date.parse(NOW),
    wait: async () => undefined,
    signal: new AbortController().signal,
    openModel: isCompared ? openModel : async () => SILENT,
    say: () => undefined,
    ...options,
  })
  await receiver?.close()
  return calibration
}

const SILENT: Model = {
  url: 'http://127.0.0.1:9',
  fetch: () => Promise.reject(new TypeError('fetch failed')),
  apiKey: KEY,
  close: async () => undefined,
}

/** A user of whom something is outstanding. */
export const OUTSTANDING: FixtureDocument = {
  ...FIXTURE,
  users: FIXTURE.users?.map((row) => ({ ...row, profile: PROFILE })),
}

/** The settings that differ, with what the provider does. */
export const differencesOf = ({ findings }: Calibration) =>
  Object.fromEntries(
    findings.flatMap(({ setting, verdict, provider }) =>
      verdict === 'set' ? [[setting, provider]] : [],
    ),
  )

/** What was claimed of a provider and is not so, with what it claimed. */
export function wrongClaimsOf({ findings }: Calibration, settings: Record<string, SettingValue>) {
  const real = toSettings(parseSettings(settings))
  const wrong = findings.filter(({ setting, provider }) => {
    return (
      provider !== null && String(settingOf(setting).format(real[setting])) !== String(provider)
    )
  })
  return Object.fromEntries(wrong.map(({ setting, provider }) => [setting, provider]))
}
