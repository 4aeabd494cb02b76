import { loadFixture } from '../fixture/load.ts'
import type { ProcessServices, Services, Site } from '../http/services.ts'
import { realTime } from '../real-time.ts'
import type { Store } from '../store/store.ts'
import type { WebhookRules } from '../webhooks/destination.ts'
import { isLoopbackHost } from '../webhooks/destination.ts'
import { DomainError } from '../world/domain-error.ts'
import type { WebhooksRequest } from '../world/integrators.ts'
import { parseSettings } from '../world/settings/index.ts'
import type { SettingValue } from '../world/settings/setting.ts'
import { DEFAULT_SEED, readSeed } from './seed.ts'
import type { StartOptions } from './world-start.ts'

export interface Listens {
  /** True if only programs on this machine can reach it. */
  isLoopback: boolean
  /** The one host that it listens on; undefined for every one, and for `localhost`. */
  host?: string | undefined
  port(): number | undefined
  certificate?: string | undefined
}

/** Options of a start, as the command line, the library and tests give them. */
export interface WorldsOptions {
  /** A fixture's name, the path of its file, or the fixture itself. */
  fixture?: string | object | undefined
  /** `random` draws one. */
  seed?: string | undefined
  /** `running`, `frozen`, an instant, or `running@<instant>`. */
  clock?: string | undefined
  settings?: Record<string, SettingValue> | undefined
  /** A reading of the contract: settings with the lowest precedence, below those of a fixture. */
  reading?: Readonly<Record<string, SettingValue>> | undefined
  webhooks?: WebhooksRequest | undefined
  controlToken?: string | undefined
  control?: boolean | undefined
  wallClock?: (() => number) | undefined
  /** Host names besides loopback that it responds to, where the name matters. */
  allowHosts?: readonly string[] | undefined
  /** Hosts that webhooks may use over http or at a private address. */
  allowWebhookHosts?: readonly string[] | undefined
  /** Nowhere by default. */
  listens?: Listens | undefined
  /** The base URL by which others reach it, without a slash at the end. */
  publicUrl?: string | undefined
  store?: Store | undefined
  onOpen?: ((services: Services) => void) | undefined
}

export interface Reach {
  /**
   * True if only programs on this machine can reach it, so every call must name a loopback host.
   */
  isLoopback: boolean
  /** Host names besides loopback that it responds to, where the name matters. */
  hosts: readonly string[]
  /** Configured base URL for callers; undefined if it is taken from each call. */
  site: Site | undefined
}

/** Options of a start, read and checked once. */
export interface ProcessOptions extends Pick<Services, 'wallClock' | 'webhookRules'> {
  /** How worlds start. */
  start: StartOptions
  reach: Reach
  control: Pick<ProcessServices, 'enabled' | 'token' | 'hosts' | 'ownHost'>
  store: Store | undefined
  onOpen: WorldsOptions['onOpen']
}

/** Parses the start options, and throws if one of them cannot work. */
export function readOptions(given: WorldsOptions): ProcessOptions {
  const { controlToken: token, wallClock = realTime.now, listens, store, onOpen } = given
  const webhookRules = readWebhookRules(given)
  const fixture = loadFixture(given.fixture ?? 'default')
  const start: StartOptions = {
    fixture,
    seed: readSeed(given.seed ?? fixture.seed) ?? DEFAULT_SEED,
    clock: given.clock,
    settings: parseSettings(given.settings ?? {}),
    reading: parseSettings(given.reading ?? {}),
    webhooks: given.webhooks,
    webhookRules,
    wallClock,
    hasSecret: token !== undefined,
  }
  const reach = readReach(given)
  const control = {
    enabled: given.control ?? true,
    token,
    hosts: reach.hosts,
    ownHost: listens?.host,
  }
  return { start, reach, control, webhookRules, wallClock, store, onOpen }
}

function readReach({ allowHosts = [], publicUrl, listens }: WorldsOptions): Reach {
  assertHosts('--allow-host', allowHosts)
  const site = publicUrl === undefined ? undefined : new URL(publicUrl)
  return {
    isLoopback: listens?.isLoopback ?? false,
    hosts: site ? [...allowHosts, site.hostname] : allowHosts,
    site: site && toSite(site),
  }
}

const toSite = ({ origin, pathname }: URL): Site => ({
  origin,
  path: pathname.replace(/\/+$/, ''),
})

function readWebhookRules(given: WorldsOptions): WebhookRules {
  const { allowHosts = [], allowWebhookHosts = [], listens } = given
  assertHosts('--allow-webhook-host', allowWebhookHosts)
  return {
    allowHosts: allowWebhookHosts,
    isShared:
      listens?.isLoopback === false ||
      given.publicUrl !== undefined ||
      allowHosts.some(isReachable),
    ownPort: listens?.port,
    ownHosts: allowHosts,
    ownCertificate: listens?.certificate,
  }
}

/** Returns true for a host name by which calls can come from elsewhere: `.invalid` leads nowhere. */
const isReachable = (host: string): boolean =>
  !isLoopbackHost(host.toLowerCase().replace(/^\[|\]$/g, '')) && !host.endsWith('.invalid')

const HOSTS = {
  '--allow-host': /^(?![^:]+:\d*$)[^\s*?#@/,]+$/,
  '--allow-webhook-host': /^[^\s*?#@/,]+$/,
}

/** Rejects patterns, lists and URLs, which would silently allow nothing. */
function assertHosts(option: keyof typeof HOSTS, hosts: readonly string[]): void {
  const wrong = hosts.find((host) => !HOSTS[option].test(host))
  if (wrong === undefined) return
  const message =
    `${option} takes the name or address of one host, such as sandbox.example.com, ` +
    `not ${wrong || 'nothing'}; give it once for each.`
  const hint = 'Bound to more than loopback (--host), the provider’s API responds to any name.'
  throw new DomainError('invalid', message, {
    field: option,
    ...(option === '--allow-host' ? { hint } : {}),
  })
}
