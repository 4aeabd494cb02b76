import { writeFileSync } from 'node:fs'
import { withScheme } from '../client/local-url.ts'
import { readTextFile } from '../text-file.ts'
import { DomainError, messageOf } from '../world/domain-error.ts'
import { describeDuration, parseDuration } from '../world/duration.ts'
import type { SettingValue } from '../world/settings/setting.ts'

export const invalid = (option: string, message: string, hint?: string): DomainError =>
  new DomainError('invalid', message, { field: option, ...(hint === undefined ? {} : { hint }) })

/** Does what an option asks for; `problem` begins the sentence that says why it failed. */
export function orInvalid<Result>(option: string, problem: string, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    throw invalid(option, `${problem}: ${messageOf(error)}.`)
  }
}

const PORT_MAX = 65_535

export function toPort(text: string, option = '--port'): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= PORT_MAX) return port
  const expected = `a whole number from 0 (any free one) to ${PORT_MAX}`
  throw invalid(option, `${option} must be ${expected}, not ${text}.`)
}

/** One of the words that an option takes. */
export function toChoice<const Choice extends string>(
  option: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const found = choices.find((choice) => choice === text)
  if (found !== undefined) return found
  const known = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
  throw invalid(option, `${option} must be ${known}, not ${text}.`)
}

/** A whole number above 0; undefined where none is given. */
export function toCount(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw invalid(option, `${option} must be a whole number above 0, not ${text}.`)
}

/** A length of time above 0, in ms; undefined where none is given. */
export function toLength(option: string, text: string | undefined): number | undefined {
  const ms = text === undefined ? undefined : parseDuration(text)
  if (text === undefined || (ms !== undefined && ms > 0)) return ms
  throw invalid(option, `${option} must be ${describeDuration(text)}, not ${text}.`)
}

/** The base URL of a service, without a slash at its end. */
export function toBaseUrl(option: string, text: string, example: string): string {
  const isUrl = /^https?:\/\/[^\s?#]+$/.test(text) && URL.canParse(text)
  if (isUrl) return text.replace(/\/+$/, '')
  throw invalid(option, `${option} must be a base URL such as ${example}, not ${text}.`)
}

/** Where webhooks go; `localhost:3000/hooks` is a URL by http. */
export function toWebhookUrl(option: string, text: string): string {
  const url = withScheme(text)
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return url
  const example = 'http://localhost:3000/hooks'
  throw invalid(option, `${option} must be an absolute URL such as ${example}, not ${text}.`)
}

export function writeOutput(option: string, file: string, text: string): void {
  orInvalid(option, `${option} cannot be written`, () => writeFileSync(file, text))
}

type SettingsByName = Record<string, SettingValue>

interface SettingsOptions {
  settings?: string | undefined
  set?: string[]
}

/** What `--settings` and `--set` name; what is named one by one wins over a file. */
export function readSettings({ settings, set = [] }: SettingsOptions): SettingsByName {
  const ofFile = settings === undefined ? {} : readSettingsFile('--settings', settings)
  return Object.assign(ofFile, ...set.map(toSetting))
}

function toSetting(text: string): SettingsByName {
  if (text.startsWith('@')) return readSettingsFile('--set', text.slice(1))
  const at = text.indexOf('=')
  if (at > 0) return { [text.slice(0, at)]: text.slice(at + 1) }
  const example = 'ID=VALUE, such as --set quotes.ttl=1h, or @FILE'
  throw invalid('--set', `--set must be ${example}, not ${text}.`)
}

/** The settings of a file: a map of them, or a fixture or what `calibrate --out` wrote. */
export function readSettingsFile(option: string, file: string): SettingsByName {
  const read = () => JSON.parse(readTextFile(file))
  const document: unknown = orInvalid(option, `${option} ${file} cannot be read`, read)
  const settings = isMap(document) && isMap(document.settings) ? document.settings : document
  const isValid = isMap(settings) && Object.values(settings).every(isValue)
  if (isValid) return settings as SettingsByName
  const example = '{ "settings": { "quotes.ttl": "1h" } }'
  throw invalid(option, `${option} ${file} must hold settings, such as ${example}.`)
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const isValue = (value: unknown) => typeof value === 'string' || typeof value === 'number'
