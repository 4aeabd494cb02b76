import { nanoid } from 'nanoid'
import { listen } from '../host/server.ts'
import { Worlds } from '../host/worlds.ts'
import { readTextFile } from '../text-file.ts'
import { isLoopbackHost } from '../webhooks/address.ts'
import { DomainError } from '../world/domain-error.ts'
import { allLegacyWebhooks } from '../world/state.ts'
import type { Given, OptionSpecs } from './command.ts'
import type { LiveLog } from './live-log.ts'
import {
  BASE_URL,
  COUNT,
  invalid,
  ORIGIN,
  orInvalid,
  PORT,
  type Reader,
  SETTING,
  SETTINGS_FILE,
  type SettingsByName,
  TOKEN,
  WEBHOOK_URL,
} from './option-values.ts'
import { openTls, TLS_OPTIONS } from './tls.ts'

const readSeed: Reader<string> = (_, text) => (text === 'random' ? nanoid() : text)

const readTokenFile: Reader<string> = (option, file) =>
  TOKEN.read(
    option,
    orInvalid(option, `${option} cannot be used`, () => readTextFile(file)),
  )

/** Options of every command that starts a sandbox, by what they are about. */
export const SERVING_GROUPS = {
  World: {
    fixture: { value: 'NAME|FILE', short: 'f', help: 'the starting world; `default` by default' },
    seed: { value: 'SEED|random', read: readSeed, help: 'the text that all ids derive from' },
    clock: {
      value: 'CLOCK',
      help: 'running, frozen, an instant (frozen there) or running@INSTANT',
    },
    set: { ...SETTING, many: true, help: 'one of `ramp-sandbox settings`, or a file' },
    settings: { ...SETTINGS_FILE, help: 'a file of settings, such as `calibrate --out` writes' },
    'contract-only': { help: 'every setting at the strictest reading of the contract' },
    'auto-settle': { help: 'money moves by itself: --set transactions.settlement=auto' },
    data: {
      value: 'FILE',
      short: 'd',
      help: 'a file that keeps every world from one start to the next',
    },
    'world-rows': {
      ...COUNT,
      help: 'rows that one world may have; 2000000 by default, 100000 with a control token',
    },
  },
  Network: {
    port: { ...PORT, short: 'p', help: '4100 by default; 0 takes any free one' },
    host: { value: 'HOST', help: 'where to listen; 127.0.0.1 and ::1 by default' },
    ...TLS_OPTIONS,
    'allow-host': {
      value: 'HOST',
      many: true,
      help: 'a Host header it responds to, such as a proxy’s',
    },
    'public-url': {
      ...BASE_URL,
      help: 'the base URL by which others reach it, through a proxy',
    },
    'trust-proxy': { help: 'makes links from X-Forwarded-Proto, -Host and -Prefix of a proxy' },
    'control-token': {
      ...TOKEN,
      env: 'RAMP_SANDBOX_CONTROL_TOKEN',
      help: 'a bearer token that the control API asks for',
    },
    'control-token-file': {
      value: 'FILE',
      read: readTokenFile,
      help: 'a file with that token, which ps does not show',
    },
    instance: {
      value: 'NAME',
      help: 'begins the names of private worlds, so that a proxy finds this process',
    },
    'no-control': { help: 'no control API and no inspector; KYC links still work' },
    'allow-frame': {
      ...ORIGIN,
      many: true,
      help: 'a page’s origin that may embed the demo wallet (?view=wallet)',
    },
  },
  Webhooks: {
    'webhook-url': {
      ...WEBHOOK_URL,
      short: 'w',
      env: 'RAMP_SANDBOX_WEBHOOK_URL',
      help: 'where your app takes webhooks',
    },
    'v1-webhook-url': { ...WEBHOOK_URL, help: 'where it takes the four webhooks of v1' },
    'allow-webhook-host': {
      value: 'HOST[:PORT]',
      many: true,
      help: 'a host that webhooks may reach by http or at a private address',
    },
  },
} as const satisfies Record<string, OptionSpecs>

export const SERVING_OPTIONS = {
  ...SERVING_GROUPS.World,
  ...SERVING_GROUPS.Network,
  ...SERVING_GROUPS.Webhooks,
}

export type ServingGiven = Pick<Given<typeof SERVING_OPTIONS>, 'values' | 'named'>
type ServingValues = ServingGiven['values']

export type Serving = Awaited<ReturnType<typeof serve>>

/**
 * Opens the worlds and listens, on any free port where none is named. Options that cannot work are
 * rejected before that.
 */
export async function serve({ values, named }: ServingGiven, log?: LiveLog) {
  const { port = 0, host, 'webhook-url': webhookUrl, 'v1-webhook-url': v1WebhookUrl } = values
  const controlToken = controlTokenOf(values)
  assertControlGuarded(values, controlToken)
  const store = values.data === undefined ? undefined : await openData(values.data)
  const isKept = store?.kept.has(MAIN_WORLD) ?? false
  // A host that serves several addresses has no name of its own.
  const ownHost = SEVERAL_ADDRESSES.includes(host ?? 'localhost') ? undefined : host
  const allowHosts = [...(ownHost === undefined ? [] : [ownHost]), ...values['allow-host']]
  const tls = openTls(values, { hosts: allowHosts, data: values.data })
  let bound = port
  const worlds = new Worlds({
    store,
    listens: {
      isLoopback: isLoopbackHost(host ?? 'localhost'),
      host: ownHost,
      port: () => bound,
      certificate: tls?.cert,
    },
    publicUrl: values['public-url'],
    trustProxy: values['trust-proxy'],
    allowFrames: values['allow-frame'],
    fixture: values.fixture,
    seed: values.seed,
    clock: values.clock,
    settings: toSettings(values),
    allowHosts,
    // A host that is named as the destination need not be named twice.
    allowWebhookHosts: [
      ...values['allow-webhook-host'],
      ...[webhookUrl, v1WebhookUrl].flatMap((each) => (each ? new URL(each).hostname : [])),
    ],
    webhooks: {
      url: webhookUrl,
      legacy: v1WebhookUrl === undefined ? undefined : allLegacyWebhooks(v1WebhookUrl),
    },
    worldRows: values['world-rows'],
    controlToken,
    control: !values['no-control'],
    instance: values.instance,
    onOpen: log?.follow,
  })
  const options = { fetch: worlds.fetch, port, host, tls, overrideGlobals: true }
  const listening = await listen(options).catch(async (error) => {
    throw await toBusyError(error, host ?? '127.0.0.1', port)
  })
  const { url } = listening
  bound = listening.port
  const controlUrl = values['no-control'] ? null : `${url}/_sandbox`
  const info = worlds.info()
  const hasWebhooks = webhookUrl !== undefined || v1WebhookUrl !== undefined
  return {
    info,
    /** Options that were given for a world that the data file holds already. */
    ignored: STARTING_OPTIONS.filter((name) => isKept && named.includes(name)).map(
      (name) => `--${name}`,
    ),
    controlToken,
    tls,
    fetch: worlds.fetch,
    coverage: () => worlds.coverage(),
    /** Loads files that changed into the main world, and says what differs. */
    reload: (changed: ServingValues, how: { anew: boolean }) => reload(worlds, changed, how),
    /** Facts that a script needs to know of a sandbox that responds. */
    ready: {
      event: 'ready',
      url,
      port: listening.port,
      apiKey: info.apiKey,
      controlUrl,
      dashboardUrl: controlUrl && `${controlUrl}/`,
      preset: info.preset,
      version: __VERSION__,
      webhookUrl,
      v1WebhookUrl,
      ...(hasWebhooks && { signingSecret: info.signingSecret ?? '' }),
    },
    async close() {
      await listening.close()
      await worlds.close()
    },
  }
}

/** What people notice of a world whose files changed. */
function reload(worlds: Worlds, changed: ServingValues, { anew }: { anew: boolean }): string[] {
  const before = worlds.info()
  worlds.reload({ fixture: anew ? changed.fixture : undefined, settings: toSettings(changed) })
  const after = worlds.info()
  const counts = (['users', 'transactions'] as const).map(
    (name) => [name, before.counts[name], after.counts[name]] as const,
  )
  const settings = [
    ...new Set([...Object.keys(before.settings), ...Object.keys(after.settings)]),
  ].map((id) => [id, before.settings[id], after.settings[id]] as const)
  return [...counts, ...settings]
    .filter(([, was, is]) => was !== is)
    .map(([name, was, is]) => `${name} ${was} → ${is}`)
}

/** The world at the base URL. */
const MAIN_WORLD = 'default'

/** How a world starts. */
const STARTING_OPTIONS = [
  ...['fixture', 'seed', 'clock', 'contract-only', 'auto-settle', 'settings', 'set'],
]

const SEVERAL_ADDRESSES = ['localhost', '0.0.0.0', '::']

const RESPONSE_MAX_MS = 1_000

const FOUND_BY =
  'Other commands then find it with --url, or with RAMP_SANDBOX_URL in the environment.'

/** A port that is taken: by which program, where that is another sandbox. Other errors stay. */
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

/** Opens a data file, and says what of it does not count. */
async function openData(file: string) {
  const { openStore } = await import('../store/store.ts')
  const store = await openStore(file)
  const { leftOutBytes: bytes } = store
  if (bytes > 0) {
    const why = 'a write was cut short, and nothing in it was ever acknowledged'
    process.stderr.write(`ramp-sandbox: the last ${bytes} B of ${file} are left out: ${why}.\n`)
  }
  return store
}

/** The one of the file, as the other may come from the environment. */
export const controlTokenOf = (
  values: Pick<ServingValues, 'control-token' | 'control-token-file'>,
): string | undefined => values['control-token-file'] ?? values['control-token']

/** Beyond loopback, strangers may try as many as they like. */
const TOKEN_LENGTH_MIN = 16

/** Off loopback, anyone who reaches the machine could change its worlds. */
function assertControlGuarded(values: ServingValues, controlToken: string | undefined) {
  const { host = 'localhost' } = values
  if (isLoopbackHost(host) || values['no-control']) return
  if (controlToken !== undefined && controlToken.length >= TOKEN_LENGTH_MIN) return
  if (controlToken) {
    const tooShort = `needs at least ${TOKEN_LENGTH_MIN} characters where other machines can guess it`
    throw invalid('--control-token', `The control token ${tooShort}.`)
  }
  const message =
    `--host ${host} lets other machines reach the control API, which needs no key: ` +
    'add --control-token-file FILE, or --no-control.'
  throw invalid('--host', message)
}

/** Merges settings: one that is named by itself wins over files. */
const toSettings = (values: ServingValues): SettingsByName => ({
  ...(values['contract-only'] && { preset: 'contract' }),
  ...values.settings,
  ...(values['auto-settle'] && { 'transactions.settlement': 'auto' }),
  ...Object.assign({}, ...values.set),
})
