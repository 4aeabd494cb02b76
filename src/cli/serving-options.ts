import type { StartOptions } from '../host/start-options.ts'
import type { GivenSettings } from '../world/settings/index.ts'
import type { Given, OptionSpecs } from './command.ts'
import { LOG_LEVEL } from './live-log.ts'
import {
  BASE_URL,
  PORT,
  SETTING,
  SETTINGS_FILE,
  type SettingsByName,
  TOKEN,
  WEBHOOK_URL,
} from './option-values.ts'

/** Options with settings for a sandbox. */
export const SETTING_OPTIONS = {
  set: {
    ...SETTING,
    many: true,
    help: 'change a setting (see settings), or every setting in a file',
  },
  settings: { ...SETTINGS_FILE, help: 'change the settings in this JSON file' },
  'contract-only': { help: 'set every setting to its strictest value' },
} as const satisfies OptionSpecs

const WORLD = {
  fixture: {
    value: 'NAME|FILE',
    short: 'f',
    help: 'fixture to start from: a name (see fixtures) or a file',
  },
  seed: { value: 'SEED|random', help: 'seed for generated ids; random picks one' },
  clock: {
    value: 'CLOCK',
    help: 'how the clock starts: running, frozen, INSTANT (frozen there) or running@INSTANT',
  },
  ...SETTING_OPTIONS,
} as const satisfies OptionSpecs

const NETWORK = {
  host: { value: 'HOST', help: 'address to listen on; 127.0.0.1 and ::1 by default' },
  'control-token': {
    ...TOKEN,
    env: 'RAMP_SANDBOX_CONTROL_TOKEN',
    help: 'require this bearer token on the control API',
  },
  'webhook-url': {
    ...WEBHOOK_URL,
    short: 'w',
    env: 'RAMP_SANDBOX_WEBHOOK_URL',
    help: 'URL where your app receives webhooks',
  },
} as const satisfies OptionSpecs

const ADVANCED = {
  'tls-cert': { value: 'FILE', help: 'serve https with this certificate and its chain (PEM)' },
  'tls-key': { value: 'FILE', help: 'private key of the certificate (PEM)' },
  'public-url': {
    ...BASE_URL,
    help: 'base URL that others use to reach the sandbox through a proxy',
  },
  'allow-host': {
    value: 'HOST',
    many: true,
    help: 'also accept this Host header, such as that of a proxy',
  },
  'allow-webhook-host': {
    value: 'HOST[:PORT]',
    many: true,
    help: 'allow webhooks to this host over http or at a private address',
  },
  'no-control': { help: 'switch off the control API and the inspector; KYC links still work' },
} as const satisfies OptionSpecs

/** Options of every command that starts a sandbox. */
export const SERVING_OPTIONS = { ...WORLD, ...NETWORK, ...ADVANCED }

/** Options of the commands whose sandbox is there for others, too. */
export const OWN_OPTIONS = {
  data: {
    value: 'DIR',
    short: 'd',
    help: 'keep worlds in this folder across restarts, one JSON file each',
  },
  port: { ...PORT, short: 'p', help: 'port to listen on; any free one by default' },
} as const satisfies OptionSpecs

/** Options of `start`. Platforms set PORT for a server; other commands leave it alone. */
export const START_GROUPS = {
  Options: {
    ...WORLD,
    data: OWN_OPTIONS.data,
    port: {
      ...OWN_OPTIONS.port,
      env: 'PORT',
      standard: '4100',
      help: 'port to listen on; 0 takes any free one',
    },
    ...NETWORK,
    log: {
      ...LOG_LEVEL,
      help: 'print each call, webhook and message (all), or only errors; all on a terminal, off elsewhere',
    },
    json: {
      short: 'j',
      help: 'print JSON: one line when ready, and one for each log entry',
    },
  },
  'Network, advanced': ADVANCED,
} as const satisfies Record<string, OptionSpecs>

export const START_OPTIONS = { ...START_GROUPS.Options, ...ADVANCED }

export type ServingGiven = Pick<Given<typeof SERVING_OPTIONS>, 'values' | 'named'>
export type ServingValues = ServingGiven['values']

export const toStartOptions = (values: ServingValues): StartOptions => ({
  fixture: values.fixture,
  seed: values.seed,
  clock: values.clock,
  settings: readSettings(values) as GivenSettings,
  host: values.host,
  controlToken: values['control-token'],
  webhookUrl: values['webhook-url'],
  tlsCert: values['tls-cert'],
  tlsKey: values['tls-key'],
  publicUrl: values['public-url'],
  allowHosts: values['allow-host'],
  allowWebhookHosts: values['allow-webhook-host'],
  control: !values['no-control'],
})

/** A setting that is named by itself wins over files. */
export const readSettings = (
  values: Pick<ServingValues, keyof typeof SETTING_OPTIONS>,
): SettingsByName => ({
  ...(values['contract-only'] && { preset: 'contract' }),
  ...values.settings,
  ...Object.assign({}, ...values.set),
})
