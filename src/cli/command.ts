import { parseArgs } from 'node:util'
import { DomainError } from '../world/domain-error.ts'
import { suggest } from '../world/nearest.ts'
import { invalid, type Reader } from './option-values.ts'
import { wrap } from './terminal.ts'

export const DEFAULT_PORT = 4100

/** One command of the command line, in a file of its own that is loaded when it is called. */
export interface Command {
  /** After the program's name, as `start [options]`. */
  readonly usage: string
  readonly about: string
  readonly options: OptionSpecs
  /** The meaning of each exit code. */
  readonly exits: Readonly<Record<string, string>>
  help(): string
  run(args: readonly string[]): Promise<void>
}

const EXITS = {
  0: 'It is done.',
  1: 'The sandbox failed; stderr says how.',
  2: 'The command line is wrong, or nothing responds; stderr says what would work.',
}

/** Every command. */
export interface CommandTable {
  /** Summary of each by name, in groups. */
  groups: Readonly<Record<string, Readonly<Record<string, string>>>>
  load(name: string): Promise<Command>
}

export interface OptionSpec {
  /** One letter, for the common ones. */
  readonly short?: string
  /** Name of the value in help; an option without one is a flag. */
  readonly value?: string
  readonly many?: true
  /** Makes of the text what the command works with; by default it is the text. */
  readonly read?: Reader<unknown>
  /** The text where none is given: in the environment, or always. */
  readonly env?: string
  readonly standard?: string
  readonly help: string
}
export type OptionSpecs = Readonly<Record<string, OptionSpec>>

export type Values<Specs extends OptionSpecs> = {
  [Name in keyof Specs]: Specs[Name] extends { value: string }
    ? Specs[Name] extends { many: true }
      ? ReadAs<Specs[Name]>[]
      : Specs[Name] extends { standard: string }
        ? ReadAs<Specs[Name]>
        : ReadAs<Specs[Name]> | undefined
    : boolean
}

type ReadAs<Spec> = Spec extends { read: Reader<infer Value> } ? Value : string

export interface Given<Specs extends OptionSpecs> {
  values: Values<Specs>
  /** The options that were typed. */
  named: readonly string[]
  /** Words beside the options, for the commands that take some. */
  words: string[]
  /** Words after `--`, for the commands that take some. */
  rest: string[]
}

interface CommandSpec<Specs extends OptionSpecs> {
  usage: string
  about: string
  options: Specs
  /** Exit codes that differ from those of most commands. */
  exits?: Command['exits']
  words?: true
  /** Options by what they are about; by default they are one list. */
  groups?: Readonly<Record<string, OptionSpecs>>
  /** Options that help leaves to that of `start`. */
  likeStart?: OptionSpecs
  /** Whether it takes options from `RAMP_SANDBOX_OPTIONS`, too, before its own. */
  fromEnv?: true
  /** Whether 2 says that it found something: a wrong command line then ends it with 1. */
  hasFindings?: true
  act(given: Given<Specs>): Promise<void> | void
}

/** A command that reads its own options and rejects what it does not know. */
export function createCommand<const Specs extends OptionSpecs>(spec: CommandSpec<Specs>): Command {
  return {
    ...spec,
    exits: { ...EXITS, ...spec.exits },
    help: () => formatHelp(spec),
    async run(args) {
      const outside = spec.fromEnv ? (process.env.RAMP_SANDBOX_OPTIONS ?? '') : ''
      try {
        await spec.act(readArgs(spec, [...outside.split(/\s+/).filter(Boolean), ...args]))
      } catch (error) {
        if (!(spec.hasFindings && error instanceof DomainError)) throw error
        printProblems(error)
        process.exitCode = 1
      }
    },
  }
}

function readArgs<Specs extends OptionSpecs>(
  { usage, options, words: takesWords }: CommandSpec<Specs>,
  args: readonly string[],
): Given<Specs> {
  const name = nameIn(usage)
  const takesRest = usage.includes(' -- ')
  const end = args.indexOf('--')
  const words: string[] = []
  const rest: string[] = []
  const named: string[] = []
  const values: Record<string, unknown> = {}
  for (const [option, { many, value }] of Object.entries(options)) {
    values[option] = many ? [] : value === undefined ? false : undefined
  }
  for (const token of tokensOf(args, options)) {
    if (token.kind === 'option') {
      const spec = options[token.name]
      const below = `${name} takes no number or length below 0.`
      if (/^-\d/.test(token.rawName)) throw invalid(token.rawName, below)
      if (spec === undefined) throw unknownOption(name, token.rawName, options)
      const value = readValue(token, spec)
      const before = values[token.name]
      values[token.name] = Array.isArray(before) ? [...before, value] : value
      named.push(token.name)
    } else if (token.kind === 'positional') {
      if (takesRest && end !== -1 && token.index > end) rest.push(token.value)
      else if (takesWords) words.push(token.value)
      else if (takesRest) throw invalid(token.value, `${name} needs -- before the command.`)
      else throw invalid(token.value, `${name} takes only options, not ${token.value}.`)
    }
  }
  for (const [option, { env = '', standard, read = asText }] of Object.entries(options)) {
    const text = process.env[env] || standard
    if (text !== undefined) values[option] ??= read(`--${option}`, text)
  }
  return { values: values as Values<Specs>, named, words, rest }
}

const asText: Reader<string> = (_, text) => text

/** The literal words that a usage begins with, or has around what is typed: `user kyc`. */
const nameIn = (usage: string) =>
  usage
    .split(' ')
    .filter((word) => /^[a-z][a-z-]*$/.test(word))
    .join(' ')

/** Words beside the options of a command line. */
export const wordsIn = (args: readonly string[], options: OptionSpecs): string[] =>
  tokensOf(args, options).flatMap((token) => (token.kind === 'positional' ? [token.value] : []))

/** Not strict, so that what is wrong can be said in whole sentences. */
function tokensOf(args: readonly string[], options: OptionSpecs) {
  const types = Object.entries(options).map(([name, { value, short }]) => {
    const type = value === undefined ? 'boolean' : 'string'
    return [name, { type, ...(short !== undefined && { short }) }] as const
  })
  const config = { args: [...args], options: Object.fromEntries(types), strict: false }
  return parseArgs({ ...config, allowPositionals: true, tokens: true }).tokens
}

interface OptionToken {
  name: string
  rawName: string
  value: string | undefined
}

function readValue({ name, rawName, value }: OptionToken, spec: OptionSpec): unknown {
  if (spec.value === undefined) {
    if (value === undefined) return true
    throw invalid(rawName, `${rawName} takes no value; leave out =${value}.`)
  }
  const { read = asText } = spec
  if (value !== undefined && value !== '') return read(`--${name}`, value)
  throw invalid(rawName, `${rawName} needs a value: ${rawName} ${spec.value}.`)
}

function unknownOption(command: string, given: string, options: OptionSpecs): DomainError {
  const known = Object.keys(options).map((option) => `--${option}`)
  const hint = `ramp-sandbox ${command} --help lists them.`
  return invalid(given, `${command} has no option ${given}${suggest(given, known)}`, hint)
}

function formatHelp(spec: CommandSpec<OptionSpecs>): string {
  const { usage, about, options, groups, likeStart } = spec
  const own = Object.entries(options).filter(([name]) => !likeStart || !(name in likeStart))
  const lists = Object.entries(groups ?? { Options: Object.fromEntries(own) })
    .filter(([, specs]) => Object.keys(specs).length > 0)
    .map(([title, specs]) => `\n${title}\n${formatRows(Object.entries(specs).map(describeOption))}`)
  const more = likeStart ? '\nIt takes the options of start, too: ramp-sandbox help start.\n' : ''
  const paragraphs = about
    .split('\n\n')
    .map((paragraph) => wrap(paragraph.replaceAll('\n', ' '), 80).join('\n'))
  return `Usage: ramp-sandbox ${usage}\n\n${paragraphs.join('\n\n')}\n${lists.join('')}${more}`
}

function describeOption([name, { value, many, short, help, env, standard }]: [string, OptionSpec]) {
  const shown = `${short ? `-${short}, ` : '    '}--${name}${value ? ` ${value}` : ''}`
  const otherwise = [env, standard].filter((text) => text !== undefined).join(', else ')
  const text = otherwise ? `${help}; ${otherwise} by default` : help
  return [`${shown}${many ? ' …' : ''}`, text] as const
}

/** Two columns; the second starts at the same place in every row and wraps where the terminal ends. */
export function formatRows(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  const right = Math.max(30, (process.stdout.columns || Number.POSITIVE_INFINITY) - width - 5)
  return rows
    .map(([left, text]) => {
      const indent = `\n  ${' '.repeat(width)}  `
      return `  ${left.padEnd(width)}  ${wrap(text, right).join(indent)}\n`
    })
    .join('')
}

export function printProblems({ problems, detail }: DomainError): void {
  for (const { message } of problems) process.stderr.write(`ramp-sandbox: ${message}\n`)
  if (detail.hint) process.stderr.write(`  ${detail.hint}\n`)
}
