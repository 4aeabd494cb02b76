import { networkInterfaces } from 'node:os'
import type { RunChange } from '../engine/run-change.ts'
import { loadFixture } from '../fixture/load.ts'
import type { ProcessServices, Services, Site } from '../http/services.ts'
import { realTime } from '../real-time.ts'
import type { Store } from '../store/store.ts'
import { isHost, isLoopbackHost, type WebhookRules } from '../webhooks/destination.ts'
import { DomainError } from '../world/domain-error.ts'
import { parseSettings } from '../world/settings/index.ts'
import type { SettingValue } from '../world/settings/setting.ts'
import { toVisible } from '../world/word-list.ts'
import { DEFAULT_SEED, readSeed } from './seed.ts'
import type { StartOptions } from './start-options.ts'
import type { WorldDefaults } from './world-start.ts'

/** The socket of a process. */
export interface Listens {
  /** True if only programs on this machine can reach it. */
  isLoopback: boolean
  /** The one host that it listens on; undefined for every one, and for `localhost`. */
  host?: string | undefined
  port(): number | undefined
  certificate?: string | undefined
}

/** Start options as they come, before fixture and settings are checked, and parts that the host adds. */
export interface WorldsOptions extends Omit<StartOptions, 'fixture' | 'settings'> {
  fixture?: string | object | undefined
  settings?: Record<string, SettingValue> | undefined
  /** Change of a run of `exec`. */
  change?: RunChange | undefined
  wallClock?: (() => number) | undefined
  /** Nowhere by default. */
  listens?: Listens | undefined
  store?: Store | undefined
  onOpen?: ((services: Services) => void) | undefined
}

/** Options of a start, read and checked once. */
export interface ProcessOptions extends Pick<Services, 'wallClock' | 'webhookRules'> {
  start: WorldDefaults
  control: Pick<ProcessServices, 'enabled' | 'token' | 'hosts' | 'ownHost'>
  /** True if only programs on this machine can reach it, so every call must name a loopback host. */
  isLoopback: boolean
  /** Configured base URL for callers; undefined if it is taken from each call. */
  site: Site | undefined
  store: Store | undefined
  onOpen: WorldsOptions['onOpen']
}

/** Parses the start options, and throws if one of them cannot work. */
export function readOptions(given: WorldsOptions): ProcessOptions {
  const { controlToken: token, wallClock = realTime.now, listens, store, onOpen } = given
  const { control = true, publicUrl } = given
  const names = readHosts(given)
  const webhookRules = readWebhookRules(given, names)
  const fixture = loadFixture(given.fixture ?? 'default')
  const start: WorldDefaults = {
    fixture,
    seed: readSeed(given.seed ?? fixture.seed) ?? DEFAULT_SEED,
    clock: given.clock,
    settings: parseSettings(given.settings ?? {}),
    change: { ...given.change, settings: parseSettings(given.change?.settings ?? {}) },
    webhookUrl: given.webhookUrl,
    webhookRules,
    wallClock,
    hasSecret: token !== undefined,
  }
  const site = publicUrl === undefined ? undefined : new URL(publicUrl)
  const hosts = site ? [...names, site.hostname] : names
  return {
    start,
    control: { enabled: control, token, hosts, ownHost: listens?.host },
    isLoopback: listens?.isLoopback ?? false,
    site: site && { origin: site.origin, path: site.pathname.replace(/\/+$/, '') },
    webhookRules,
    wallClock,
    store,
    onOpen,
  }
}

/** Returns where a process listens, apart from its port. */
export const readListens = ({ host = 'localhost' }: StartOptions) => ({
  isLoopback: isLoopbackHost(host),
  host: SEVERAL_ADDRESSES.includes(host) ? undefined : host,
})

const EVERY_ADDRESS = ['0.0.0.0', '::']
const SEVERAL_ADDRESSES = ['localhost', ...EVERY_ADDRESS]

/** Names by which calls reach this process besides loopback: no page can rebind an address. */
function readHosts({ host = 'localhost', allowHosts = [] }: WorldsOptions): string[] {
  assertHosts('--allow-host', allowHosts)
  if (!EVERY_ADDRESS.includes(host)) {
    return SEVERAL_ADDRESSES.includes(host) ? [...allowHosts] : [host, ...allowHosts]
  }
  const interfaces = Object.values(networkInterfaces()).flat()
  const own = interfaces.filter((one) => one?.family === 'IPv4' && !one.internal)
  return [...own.map((one) => one?.address ?? ''), ...allowHosts]
}

function readWebhookRules(given: WorldsOptions, ownHosts: string[]): WebhookRules {
  const { allowWebhookHosts = [], listens, webhookUrl, publicUrl } = given
  assertHosts('--allow-webhook-host', allowWebhookHosts)
  return {
    // A host that is named as the destination need not be named twice.
    allowHosts: [...allowWebhookHosts, ...(webhookUrl ? [toHostAndPort(webhookUrl)] : [])],
    isShared:
      listens?.isLoopback === false || publicUrl !== undefined || ownHosts.some(isReachable),
    ownPort: listens?.port,
    ownHosts,
    ownCertificate: listens?.certificate,
  }
}

/** A URL permits its own port alone: others of the same host may be of no concern to callers. */
function toHostAndPort(url: string): string {
  const { hostname, port, protocol } = new URL(url)
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
}

/** Returns true for a host name by which calls can come from elsewhere: `.invalid` leads nowhere. */
const isReachable = (host: string): boolean =>
  !isLoopbackHost(host.toLowerCase().replace(/^\[|\]$/g, '')) && !host.endsWith('.invalid')

const HOSTS = {
  '--allow-host': { form: /^(?![^:]+:\d*$)[^\s*?#@/,]+$/, example: 'sandbox.example.com' },
  '--allow-webhook-host': { form: /^[^\s*?#@/,]+$/, example: 'receiver or receiver:8080' },
}

/** Rejects patterns, lists and URLs, which would silently allow nothing. */
function assertHosts(option: keyof typeof HOSTS, hosts: readonly string[]): void {
  const { form, example } = HOSTS[option]
  const wrong = hosts.find((host) => !form.test(host) || !isHost(host))
  if (wrong === undefined) return
  const message =
    `${option} takes names or addresses of hosts, such as ${example}; ` +
    `${toVisible(wrong)} is not one.`
  const hint = 'With --host beyond loopback, you need --allow-host only for the control API.'
  throw new DomainError('invalid', message, {
    field: option,
    ...(option === '--allow-host' ? { hint } : {}),
  })
}

/** Minimum beyond loopback, where strangers can guess. */
const TOKEN_LENGTH_MIN = 16

/** Beyond loopback, the control API needs a token, or has to be off. */
export function assertControlGuarded(options: StartOptions): void {
  const { host = 'localhost', control = true, controlToken: token } = options
  if (isLoopbackHost(host) || !control) return
  if (token !== undefined && token.length >= TOKEN_LENGTH_MIN) return
  if (token) {
    const tooShort = `needs at least ${TOKEN_LENGTH_MIN} characters when other machines can reach the sandbox`
    throw new DomainError('invalid', `The control token ${tooShort}.`, { field: '--control-token' })
  }
  const message =
    `--host ${host} lets other machines reach the control API, which needs no key: ` +
    'set RAMP_SANDBOX_CONTROL_TOKEN, or add --no-control.'
  throw new DomainError('invalid', message, { field: '--host' })
}
