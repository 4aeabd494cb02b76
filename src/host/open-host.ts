import { assertOptions } from '../client/assert-options.ts'
import type { ClientOptions } from '../client/client.ts'
import { SandboxError } from '../client/error.ts'
import { assertRealTicks } from '../client/fake-timers.ts'
import { DomainError } from '../world/domain-error.ts'
import type { Log } from './log.ts'
import {
  BASE_URL_HELP,
  isBaseUrl,
  isToken,
  isWebUrl,
  PORT_HELP,
  PORT_MAX,
  TOKEN_HELP,
  WEBHOOK_URL_HELP,
} from './option-rules.ts'
import { openSandbox } from './sandbox.ts'
import type { SandboxOptions } from './start-options.ts'

/** What an option must be, and the test of it. */
type Kind = readonly [expected: string, fits: (value: unknown) => boolean]

const isText = (value: unknown) => typeof value === 'string'
const isObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isList = (value: unknown) => Array.isArray(value) && value.every(isText)
const isPort = (value: unknown) =>
  typeof value !== 'object' && /^\d{1,5}$/.test(String(value)) && Number(value) <= PORT_MAX

const TEXT: Kind = ['a string', isText]
const FILE: Kind = ['the path of a file', isText]
const HOSTS: Kind = ['a list of hosts', isList]

const OPTIONS: Record<keyof SandboxOptions, Kind> = {
  fixture: [
    'the name of a fixture, the path of a file or an object',
    (value) => isText(value) || isObject(value),
  ],
  seed: ['a string', (value) => isText(value) || typeof value === 'number'],
  clock: TEXT,
  settings: ['an object of settings', isObject],
  data: ['the path of a folder', isText],
  listen: ['true or false', (value) => typeof value === 'boolean'],
  port: [PORT_HELP, isPort],
  host: ['the name or address of a host', (value) => isText(value) && value !== ''],
  tlsCert: FILE,
  tlsKey: FILE,
  publicUrl: [BASE_URL_HELP, (value) => isBaseUrl(String(value))],
  allowHosts: HOSTS,
  allowWebhookHosts: HOSTS,
  webhookUrl: [WEBHOOK_URL_HELP, (value) => value === '' || isWebUrl(String(value))],
  controlToken: TEXT,
}

export interface Host extends ClientOptions {
  close(): Promise<void>
}

export async function openHost(given: SandboxOptions, log?: Log): Promise<Host> {
  try {
    const options = toOptions(given)
    const { listen = true, controlToken } = options
    if (listen) assertRealTicks()
    const { fetch, url, info, close } = await openSandbox({ ...options, log })
    return { fetch, url, apiKey: info.apiKey, controlToken, hasSocket: listen, close }
  } catch (error) {
    throw error instanceof DomainError ? toSandboxError(error) : error
  }
}

/** Checks the options, which nothing else does for JavaScript callers; null leaves one out. */
function toOptions(given: SandboxOptions): SandboxOptions {
  assertOptions('createSandbox', given, Object.keys(OPTIONS))
  const options = Object.entries(given).filter(([, value]) => value != null)
  for (const [name, value] of options) assertOption(name as keyof SandboxOptions, value)
  return Object.fromEntries(options)
}

function assertOption(name: keyof SandboxOptions, value: unknown): void {
  const [expected, fits] = OPTIONS[name]
  const isFit = fits(value)
  if (isFit && (name !== 'controlToken' || isToken(String(value)))) return
  const shown = JSON.stringify(value) ?? String(value)
  // A token is not repeated, because it is a secret.
  const problem = isFit ? `must be ${TOKEN_HELP}` : `must be ${expected}, not ${shown}`
  throw new DomainError('invalid', `${name} ${problem}.`, { field: name })
}

function toSandboxError(error: DomainError): SandboxError {
  const { code, detail } = error
  const problems = error.problems.map(({ field, message }) => ({
    field: inOptions(field),
    message: inOptions(message),
  }))
  const sentences = problems.map(({ message }) => message)
  if (detail.hint) sentences.push(inOptions(detail.hint))
  return new SandboxError(sentences.join(' '), { code, problems, cause: error })
}

/** Replaces options of the command line by those of the library. */
const inOptions = (text: string): string =>
  text
    .replace('RAMP_SANDBOX_CONTROL_TOKEN, or add --no-control', 'controlToken')
    .replace(/--(allow(?:-webhook)?-host)\b/g, '--$1s')
    .replace(/(?<![\w-])--([a-z]+(?:-[a-z]+)*)/g, (_, option: string) =>
      option.replace(/-([a-z])/g, (__, letter: string) => letter.toUpperCase()),
    )
