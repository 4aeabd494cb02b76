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

/** The value of an option; where there is none, its text is not what is expected. */
function required<Value>(option: string, text: string, value: Value | undefined, expected: string) {
  if (value !== undefined) return value
  throw invalid(option, `${option} must be ${expected}, not ${text}.`)
}

const PORT_MAX = 65_535

export function toPort(text: string, option = '--port'): number {
  const port = /^\d{1,5}$/.test(text) && Number(text) <= PORT_MAX ? Number(text) : undefined
  return required(option, text, port, `a whole number from 0 (any free one) to ${PORT_MAX}`)
}

/** One of the words that an option takes. */
export function toChoice<const Choice extends string>(
  option: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const known = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
  return required(option, text, choices[(choices as readonly string[]).indexOf(text)], known)
}

/** A whole number above 0; undefined where none is given. */
export function toCount(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const count = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
  return required(option, text, count, 'a whole number above 0')
}

/** A length of time above 0, in ms; undefined where none is given. */
export function toLength(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  return required(option, text, parseDuration(text) || undefined, describeDuration(text))
}

/** The base URL of a service, without a slash at its end. */
export function toBaseUrl(option: string, text: string, example: string): string {
  const isUrl = /^https?:\/\/[^\s?#]+$/.test(text) && URL.canParse(text)
  const url = isUrl ? text.replace(/\/+$/, '') : undefined
  return required(option, text, url, `a base URL such as ${example}`)
}

/** Where webhooks go; `localhost:3000/hooks` is a URL by http. */
export function toWebhookUrl(option: string, text: string): string {
  const url = withScheme(text)
  const isUrl = /^https?:\/\//i.test(url) && URL.canParse(url)
  const expected = 'an absolute URL such as http://localhost:3000/hooks'
  return required(option, text, isUrl ? url : undefined, expected)
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
