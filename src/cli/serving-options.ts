import { networkInterfaces } from 'node:os'
import type { WorldsOptions } from '../host/worlds.ts'
import { isLoopbackHost } from '../webhooks/destination.ts'
import type { Given, OptionSpecs } from './command.ts'
import {
  BASE_URL,
  invalid,
  PORT,
  SETTING,
  SETTINGS_FILE,
  type SettingsByName,
  TOKEN,
  WEBHOOK_URL,
} from './option-values.ts'
import { TLS_OPTIONS } from './tls.ts'

/** Options of every command that starts a sandbox, by what they are about. */
export const SERVING_GROUPS = {
  World: {
    fixture: {
      value: 'NAME|FILE',
      short: 'f',
      help: 'starting world, by name (see fixtures) or file',
    },
    seed: { value: 'SEED|random', help: 'seed for generated ids; random draws one' },
    clock: {
      value: 'CLOCK',
      help: 'running, frozen, an instant (frozen there) or running@INSTANT',
    },
    set: {
      ...SETTING,
      many: true,
      help: 'one setting (see settings), or a file of them',
    },
    settings: { ...SETTINGS_FILE, help: 'a JSON file of settings' },
    'contract-only': { help: 'every setting at the strictest reading of the contract' },
    data: {
      value: 'DIR',
      short: 'd',
      help: 'keep worlds in this folder from one start to the next, a JSON file each',
    },
  },
  Network: {
    port: { ...PORT, short: 'p', help: '4100 by default; 0 takes any free one' },
    host: { value: 'HOST', help: 'where to listen; 127.0.0.1 and ::1 by default' },
    ...TLS_OPTIONS,
    'allow-host': {
      value: 'HOST',
      many: true,
      help: 'also respond to this Host header, such as a proxy’s',
    },
    'public-url': {
      ...BASE_URL,
      help: 'the base URL by which others reach it, through a proxy',
    },
    'control-token': {
      ...TOKEN,
      env: 'RAMP_SANDBOX_CONTROL_TOKEN',
      help: 'require this bearer token on the control API',
    },
    'no-control': { help: 'no control API and no inspector; KYC links still work' },
  },
  Webhooks: {
    'webhook-url': {
      ...WEBHOOK_URL,
      short: 'w',
      env: 'RAMP_SANDBOX_WEBHOOK_URL',
      help: 'where your app receives webhooks',
    },
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
export type ServingValues = ServingGiven['values']

/** Converts the options; throws if other machines could use the control API without a token. */
export function readWorldsOptions(values: ServingValues) {
  const { host, 'webhook-url': webhookUrl } = values
  assertControlGuarded(values)
  return {
    publicUrl: values['public-url'],
    fixture: values.fixture,
    seed: values.seed,
    clock: values.clock,
    settings: readSettings(values),
    allowHosts: [...ownHostsOf(host), ...values['allow-host']],
    // A host that is named as the destination need not be named twice.
    allowWebhookHosts: [
      ...values['allow-webhook-host'],
      ...(webhookUrl === undefined ? [] : [toHostAndPort(webhookUrl)]),
    ],
    webhooks: { url: webhookUrl },
    controlToken: values['control-token'],
    control: !values['no-control'],
  } satisfies WorldsOptions
}

/** A URL permits its own port alone: others of the same host may be of no concern to callers. */
function toHostAndPort(url: string): string {
  const { hostname, port, protocol } = new URL(url)
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
}

/** Where a process listens, before its port is known. */
export const readListens = ({ host = 'localhost' }: ServingValues) => ({
  isLoopback: isLoopbackHost(host),
  host: SEVERAL_ADDRESSES.includes(host) ? undefined : host,
})

const EVERY_ADDRESS = ['0.0.0.0', '::']
const SEVERAL_ADDRESSES = ['localhost', ...EVERY_ADDRESS]

/** Hosts by which calls from elsewhere may name this machine: no page can rebind an address. */
function ownHostsOf(host = 'localhost'): string[] {
  if (!EVERY_ADDRESS.includes(host)) return SEVERAL_ADDRESSES.includes(host) ? [] : [host]
  const interfaces = Object.values(networkInterfaces()).flat()
  return interfaces.flatMap((one) => (one?.family === 'IPv4' && !one.internal ? one.address : []))
}

/** Minimum beyond loopback, where strangers can guess. */
const TOKEN_LENGTH_MIN = 16

/** Beyond loopback, the control API needs a token, or has to be off. */
function assertControlGuarded(values: ServingValues) {
  const { host = 'localhost', 'control-token': controlToken } = values
  if (isLoopbackHost(host) || values['no-control']) return
  if (controlToken !== undefined && controlToken.length >= TOKEN_LENGTH_MIN) return
  if (controlToken) {
    const tooShort = `needs at least ${TOKEN_LENGTH_MIN} characters where other machines can guess it`
    throw invalid('--control-token', `The control token ${tooShort}.`)
  }
  const message =
    `--host ${host} lets other machines reach the control API, which needs no key: ` +
    'set RAMP_SANDBOX_CONTROL_TOKEN, or add --no-control.'
  throw invalid('--host', message)
}

/** A setting that is named by itself wins over files. */
export const readSettings = (values: ServingValues): SettingsByName => ({
  ...(values['contract-only'] && { preset: 'contract' }),
  ...values.settings,
  ...Object.assign({}, ...values.set),
})
