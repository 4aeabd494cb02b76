import { nanoid } from 'nanoid'
import { listen } from '../host/server.ts'
import { createWorlds } from '../host/worlds.ts'
import { readTextFile } from '../text-file.ts'
import type { SettingValue } from '../world/settings/setting.ts'
import { toBusyError } from './busy-port.ts'
import { CHAIN_OPTIONS, openChainWith } from './chain-options.ts'
import type { OptionSpecs, Values } from './command.ts'
import type { LiveLog } from './live-log.ts'
import { openData } from './open-data.ts'
import { invalid, orInvalid, readSettings, toBaseUrl, toCount } from './option-values.ts'
import { openTls, TLS_OPTIONS } from './tls.ts'
import { toHostname, toWebhooks, toWebhookUrls } from './webhook-options.ts'

/** What every command takes that starts a sandbox. */
export const SERVING_OPTIONS = {
  host: { value: 'HOST', help: 'where to listen; 127.0.0.1 and ::1 by default' },
  fixture: { value: 'NAME|FILE', short: 'f', help: 'the starting world; `default` by default' },
  seed: { value: 'SEED|random', help: 'the text that all ids derive from' },
  clock: { value: 'CLOCK', help: 'running, frozen, an instant (frozen there) or running@INSTANT' },
  set: {
    value: 'ID=VALUE|@FILE',
    many: true,
    help: 'one of `ramp-sandbox settings`, or a file',
  },
  settings: { value: 'FILE', help: 'a file of settings, such as `calibrate --out` writes' },
  'contract-only': { help: 'every setting at the strictest reading of the contract' },
  'auto-settle': { help: 'money moves by itself: --set transactions.settlement=auto' },
  ...TLS_OPTIONS,
  'allow-host': {
    value: 'HOST',
    many: true,
    help: 'a Host header it answers to, such as a proxy’s',
  },
  'allow-frame': {
    value: 'ORIGIN',
    many: true,
    help: 'a page’s origin that may embed the demo wallet (?view=wallet)',
  },
  'public-url': { value: 'URL', help: 'the base URL by which others reach it, through a proxy' },
  'trust-proxy': { help: 'makes links from X-Forwarded-Proto, -Host and -Prefix of a proxy' },
  'allow-webhook-host': {
    value: 'HOST[:PORT]',
    many: true,
    help: 'a host that webhooks may reach by http or at a private address',
  },
  'webhook-url': {
    value: 'URL',
    short: 'w',
    help: 'where your app takes webhooks; RAMP_SANDBOX_WEBHOOK_URL by default',
  },
  'v1-webhook-url': { value: 'URL', help: 'where it takes the four webhooks of v1' },
  ...CHAIN_OPTIONS,
  data: {
    value: 'FILE',
    short: 'd',
    help: 'a file that keeps every world from one start to the next',
  },
  'world-rows': {
    value: 'COUNT',
    help: 'rows that one world may have; 2000000 by default, 100000 with a control token',
  },
  'control-token': {
    value: 'TOKEN',
    help: 'a bearer token that the control API asks for; RAMP_SANDBOX_CONTROL_TOKEN by default',
  },
  'control-token-file': { value: 'FILE', help: 'a file with that token, which ps does not show' },
  instance: {
    value: 'NAME',
    help: 'begins the names of private worlds, so that a proxy finds this process',
  },
  'no-control': { help: 'no control API and no inspector; KYC links still work' },
} as const satisfies OptionSpecs

/** Options of `start` by what they are about. */
export const START_GROUPS = {
  World: [
    ...['fixture', 'seed', 'clock', 'set', 'settings', 'contract-only', 'auto-settle'],
    ...['chain', 'token', 'chain-confirmations', 'data', 'world-rows'],
  ],
  Network: [
    ...['port', 'host', 'tls', 'tls-cert', 'tls-key', 'allow-host', 'public-url', 'trust-proxy'],
    ...['control-token', 'control-token-file', 'instance', 'no-control', 'allow-frame'],
  ],
  Webhooks: ['webhook-url', 'v1-webhook-url', 'allow-webhook-host'],
  Output: ['ready-file', 'open', 'log', 'json', 'quiet'],
}

export type ServingValues = Values<typeof SERVING_OPTIONS>

export type Serving = Awaited<ReturnType<typeof serve>>

/** Opens the worlds and listens. Options that cannot work are rejected before that. */
export async function serve(values: ServingValues, port: number, log?: LiveLog) {
  const { host, 'public-url': publicUrl } = values
  const controlToken = readControlToken(values)
  assertControlGuarded(values, controlToken)
  const chain = await openChainWith(values, log)
  const store = values.data === undefined ? undefined : await openData(values.data)
  const urls = toWebhookUrls(values)
  const ignored = store?.kept.has(MAIN_WORLD) ? findStarting(values) : []
  const tls = openTls(values, { hosts: toOwnNames(values), data: values.data })
  let bound = port
  const worlds = createWorlds({
    store,
    chain,
    listens: {
      isLoopback: LOOPBACK.test(host ?? 'localhost'),
      host: toOwnHost(host),
      port: () => bound,
      certificate: tls?.cert,
    },
    publicUrl: publicUrl && toBaseUrl('--public-url', publicUrl, 'https://sandbox.example.com'),
    allowFrames: values['allow-frame'].map(toOrigin),
    trustProxy: values['trust-proxy'],
    fixture: values.fixture,
    seed: values.seed === 'random' ? nanoid() : values.seed,
    clock: values.clock,
    settings: toSettings(values),
    allowHosts: toOwnNames(values),
    // A host that is named as the destination need not be named twice.
    allowWebhookHosts: [...values['allow-webhook-host'], ...Object.values(urls).map(toHostname)],
    webhooks: toWebhooks(urls),
    worldRows: toCount('--world-rows', values['world-rows']),
    controlToken,
    control: !values['no-control'],
    instance: values.instance,
    onOpen: log?.follow,
  })
  const options = { fetch: worlds.fetch, port, host, tls, overrideGlobals: true }
  const listening = await listen(options).catch(async (error) => {
    throw await toBusyError(error, { host, port })
  })
  const { url } = listening
  bound = listening.port
  const controlUrl = values['no-control'] ? null : `${url}/_sandbox`
  const info = worlds.info()
  const hasWebhooks = Object.keys(urls).length > 0
  return {
    info,
    /** Options that were given for a world that the data file holds already. */
    ignored,
    controlToken,
    tls,
    fetch: worlds.fetch,
    /** What a script needs to know of a sandbox that answers. */
    ready: {
      event: 'ready',
      url,
      port: listening.port,
      apiKey: info.apiKey,
      controlUrl,
      dashboardUrl: controlUrl && `${controlUrl}/`,
      preset: info.preset,
      version: __VERSION__,
      ...urls,
      ...(hasWebhooks && { signingSecret: info.signingSecret ?? '' }),
    },
    async close() {
      await listening.close()
      await worlds.close()
    },
  }
}

/** The world at the base URL. */
const MAIN_WORLD = 'default'

const STARTING_OPTIONS = [
  'fixture',
  'seed',
  'clock',
  'contract-only',
  'auto-settle',
  'settings',
  'set',
]

/** The options that say how a world starts, as they were given. */
function findStarting(values: ServingValues): string[] {
  const given = listGiven(values)
  return STARTING_OPTIONS.filter((name) => given.includes(name)).map((name) => `--${name}`)
}

export const listGiven = (values: object): string[] =>
  Object.entries(values).flatMap(([name, value]) =>
    (Array.isArray(value) ? value.length > 0 : value) ? [name] : [],
  )

/** The names by which it may be called, besides loopback. */
function toOwnNames({ host, 'allow-host': allowed }: ServingValues): string[] {
  const own = toOwnHost(host)
  return own === undefined ? allowed : [own, ...allowed]
}

const SEVERAL_ADDRESSES = ['localhost', '0.0.0.0', '::']

/** The one host that it listens on. */
const toOwnHost = (host = 'localhost') => (SEVERAL_ADDRESSES.includes(host) ? undefined : host)

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/i

/** The option, else the file, else the environment, which may have a line break from a file. */
export function readControlToken(
  values: Pick<ServingValues, 'control-token' | 'control-token-file'>,
): string | undefined {
  const { 'control-token': token, 'control-token-file': file } = values
  if (token !== undefined && file !== undefined) {
    const message = 'Give --control-token or --control-token-file, not both.'
    throw invalid('--control-token-file', message)
  }
  const given = file === undefined ? (token ?? fromEnv()) : readTokenFile(file)
  if (given === undefined || /^[\x21-\x7e]+$/.test(given)) return given
  const message =
    'The control token must be printable ASCII without spaces, as a header carries it.'
  throw invalid('--control-token', message)
}

const fromEnv = () => process.env.RAMP_SANDBOX_CONTROL_TOKEN?.trim() || undefined

/** Its text without the line break at the end; an empty file would leave the sandbox open. */
function readTokenFile(file: string): string {
  const [option, problem] = ['--control-token-file', '--control-token-file cannot be used']
  const token = orInvalid(option, problem, () => readTextFile(file).trim())
  if (token !== '') return token
  throw invalid(option, `${problem}: it is empty.`)
}

/** Off loopback, anyone who reaches the machine could change its worlds. */
function assertControlGuarded(values: ServingValues, controlToken: string | undefined) {
  const { host = 'localhost' } = values
  if (LOOPBACK.test(host) || controlToken || values['no-control']) return
  const message =
    `--host ${host} lets other machines reach the control API, which needs no key: ` +
    'add --control-token-file FILE, or --no-control.'
  throw invalid('--host', message)
}

/** What is named one by one wins over files. */
function toSettings(values: ServingValues): Record<string, SettingValue> {
  return {
    ...(values['contract-only'] && { preset: 'contract' }),
    ...readSettings({ settings: values.settings }),
    ...(values['auto-settle'] && { 'transactions.settlement': 'auto' }),
    ...readSettings({ set: values.set }),
  }
}

/** `https://shop.example.com`: without a path, as browsers compare it. */
function toOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (url && isWeb && url.origin === text.replace(/\/$/, '')) return url.origin
  throw invalid('--allow-frame', `is an origin such as https://shop.example.com, not ${text}`)
}
