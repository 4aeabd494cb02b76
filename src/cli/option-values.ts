import { writeFileSync } from 'node:fs'
import { withScheme } from '../client/local-url.ts'
import {
  BASE_URL_HELP,
  isBaseUrl,
  isToken,
  isWebUrl,
  PORT_HELP,
  PORT_MAX,
  TOKEN_HELP,
  WEBHOOK_URL_HELP,
} from '../host/option-rules.ts'
import { readTextFile } from '../text-file.ts'
import { DomainError, messageOf } from '../world/domain-error.ts'
import { durationHelp, parseDuration } from '../world/duration.ts'
import type { SettingValue } from '../world/settings/setting.ts'
import { wordList } from '../world/word-list.ts'

/** Parses the text of an option, or throws a sentence about it. */
export type Reader<Value> = (option: string, text: string) => Value

export const invalid = (option: string, message: string, hint?: string): DomainError =>
  new DomainError('invalid', message, { field: option, ...(hint === undefined ? {} : { hint }) })

/** Runs what an option asks for; `problem` starts the sentence about a failure. */
function orInvalid<Result>(option: string, problem: string, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    throw invalid(option, `${problem}: ${messageOf(error)}.`)
  }
}

/** Name of an option's value in help, with what reads it. */
export const createKind = <const Name extends string, Value>(
  value: Name,
  expected: string | ((text: string) => string),
  parse: (text: string) => Value,
) => ({
  value,
  read(option: string, text: string): NonNullable<Value> {
    const parsed = parse(text)
    if (parsed != null) return parsed
    const needed = typeof expected === 'string' ? expected : expected(text)
    throw invalid(option, `${option} must be ${needed}, not ${text}.`)
  },
})

const numberBetween = (min: number, max: number) => (text: string) => {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  return number >= min && number <= max ? number : undefined
}

export const PORT = createKind('PORT', PORT_HELP, numberBetween(0, PORT_MAX))

export const NUMBER = createKind('N', 'a whole number, 0 or more', numberBetween(0, 1e15))

export const COUNT = createKind('COUNT', 'a whole number above 0', numberBetween(1, 1e15))

/** A length of time above 0, in ms. */
export const LENGTH = createKind(
  'LENGTH',
  (text) => (/^0(ms|s|m|h|d)?$/.test(text) ? 'above 0' : durationHelp(text)),
  (text) => parseDuration(/^\d{1,15}$/.test(text) ? Number(text) : text) || undefined,
)

/** Reads one of a few words. */
export const oneOf = <const Word extends string>(words: readonly Word[]) => ({
  ...createKind(words.join('|'), wordList(words, 'or'), (text) =>
    words.find((word) => word === text),
  ),
  values: words,
})

/** The base URL of a service, without a slash at its end. */
export const BASE_URL = createKind('URL', BASE_URL_HELP, (text) =>
  isBaseUrl(text) ? text.replace(/\/+$/, '') : undefined,
)

/** URL for webhooks; a missing scheme means http. */
export const WEBHOOK_URL = createKind('URL', WEBHOOK_URL_HELP, (text) =>
  [withScheme(text)].find(isWebUrl),
)

/** A token that fits in a header. Files and environment variables may end with a line break. */
export const TOKEN = {
  value: 'TOKEN',
  read(option: string, text: string): string {
    const token = text.trim()
    if (isToken(token)) return token
    throw invalid(option, `${option} must be ${TOKEN_HELP}.`)
  },
} as const

export function writeOutput(option: string, file: string, text: string): void {
  orInvalid(option, `${option} ${file} cannot be written`, () => writeFileSync(file, text))
}

/** Reads a JSON file; `shown` names it in an error. */
export function readJsonFile(option: string, file: string, shown = `${option} ${file}`): unknown {
  const text = orInvalid(option, `${shown} cannot be read`, () => readTextFile(file))
  return readJson(option, text, shown)
}

export const readJson = (option: string, text: string, shown: string): unknown =>
  orInvalid(option, `${shown} is not JSON`, () => JSON.parse(text))

export type SettingsByName = Record<string, SettingValue>

/** Settings that `--set` names: one, or those of a file. */
function readSetting(option: string, text: string): SettingsByName {
  if (text.startsWith('@')) return readSettingsFile(option, text.slice(1))
  const at = text.indexOf('=')
  if (at > 0) return { [text.slice(0, at)]: text.slice(at + 1) }
  const example = `ID=VALUE, such as ${option} quotes.ttl=1h, or @FILE`
  throw invalid(option, `${option} must be ${example}, not ${text}.`)
}

/** The settings of a file: a map of them, or the ones of a fixture. */
function readSettingsFile(option: string, file: string): SettingsByName {
  const document = readJsonFile(option, file)
  const settings = isMap(document) && isMap(document.settings) ? document.settings : document
  const isValid = isMap(settings) && Object.values(settings).every(isValue)
  if (isValid) return settings as SettingsByName
  const example = '{ "settings": { "quotes.ttl": "1h" } }'
  throw invalid(option, `${option} ${file} must contain settings, such as ${example}.`)
}

export const SETTING = { value: 'ID=VALUE|@FILE', read: readSetting } as const
export const SETTINGS_FILE = { value: 'FILE', read: readSettingsFile } as const

export const isMap = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const isValue = (value: unknown) => typeof value === 'string' || typeof value === 'number'
