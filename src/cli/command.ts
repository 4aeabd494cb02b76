import { parseArgs } from 'node:util'
import { toClause } from '../world/clause.ts'
import { DomainError } from '../world/domain-error.ts'
import { suggest } from '../world/nearest.ts'
import { wordList } from '../world/word-list.ts'
import { invalid, type Reader } from './option-values.ts'
import { printText, wrap } from './terminal.ts'

export const DEFAULT_PORT = 4100

/** Command of the command line, whose file is loaded when it is called. */
export interface Command {
  /** Words after the program's name, such as `start [options]`. */
  readonly usage: string
  readonly about: string
  readonly options: OptionSpecs
  /** The meaning of each exit code. */
  readonly exits: Readonly<Record<string, string>>
  help(): string
  /** Resolves to the exit code, or to nothing where that is 0 or already set. */
  run(args: readonly string[]): Promise<number | undefined>
}

const EXITS = {
  0: 'success',
  1: 'the sandbox refused or failed (see stderr)',
  2: 'wrong usage, or no sandbox responds (see stderr)',
}

/** Code of an error after which a command ends with 1, because the sandbox refused a call. */
export const REFUSED = 'refused'

export interface CommandTable {
  /** Summaries of the commands by name, in groups. */
  groups: Readonly<Record<string, Readonly<Record<string, string>>>>
  load(name: string): Promise<Command>
}

export interface OptionSpec {
  /** One-letter form, for common options. */
  readonly short?: string
  /** Name of the value in help; an option without one is a flag. */
  readonly value?: string
  readonly many?: true
  /** Known values, or examples. */
  readonly values?: readonly string[]
  /** Parses the text; by default the value is the text itself. */
  readonly read?: Reader<unknown>
  /**
   * Where the text comes from if the option is not given: an environment variable, or a default.
   */
  readonly env?: string
  readonly standard?: string
  /** True if the value may be an empty string. */
  readonly mayBeEmpty?: boolean
  /** True for a flag that also takes =true and =false. */
  readonly isBoolean?: boolean
  /** Value of an option that is given without one. */
  readonly bare?: string
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
  /** The options that were given, on the command line or outside. */
  named: readonly string[]
  /** The given text of each option, a list of texts, or true. */
  texts: Readonly<Record<string, unknown>>
  /** Words beside the options, for the commands that take some. */
  words: string[]
  /** Words after `--`, for the commands that take some. */
  rest: string[]
}

/** Options as arguments, and the file or environment variable that they are from. */
export interface Outside {
  source: string
  args: readonly string[]
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
  /** The options of `start`, whose help describes those that it shares. */
  start?: OptionSpecs
  /** Options from outside the command line, which come before its own; the later ones win. */
  outside?: (options: OptionSpecs, args: readonly string[]) => readonly Outside[]
  /** Set if exit code 2 means findings: a wrong command line then ends with 1. */
  hasFindings?: true
  act(given: Given<Specs>): Promise<number | undefined> | Promise<void> | void
}

/** Creates a command that reads its options and rejects unknown ones. */
export function createCommand<const Specs extends OptionSpecs>(spec: CommandSpec<Specs>): Command {
  return {
    usage: spec.usage,
    get about() {
      return toHelp(spec.about)
    },
    options: mapValues(spec.options, (each) => ({ ...each, help: toHelp(each.help) })),
    exits: mapValues({ ...EXITS, ...spec.exits }, toHelp),
    help: () => formatHelp(spec),
    async run(args) {
      const given: Outside[] = []
      try {
        given.push(...(spec.outside?.(spec.options, args) ?? []), { source: '', args })
        const all = given.flatMap((each) => each.args)
        return (await spec.act(readArgs(spec, all))) ?? undefined
      } catch (error) {
        if (!(error instanceof DomainError)) throw error
        const { source } = given.findLast((each) => gaveOptionOf(error, each, spec.options)) ?? {}
        const named = source ? inSource(error, source) : error
        if (!spec.hasFindings) throw named
        printProblems(named)
        return 1
      }
    },
  }
}

/** Returns true for arguments with the option that an error is about; settings have their own ids. */
function gaveOptionOf({ problems }: DomainError, { args }: Outside, options: OptionSpecs): boolean {
  const [{ field = '' } = {}] = problems
  return parse(args, options).tokens.some(
    (token) =>
      token.kind === 'option' &&
      (token.name === field.replace(/^--/, '') || token.value?.startsWith(`${field}=`)),
  )
}

/** Names the file or environment variable with the wrong option; in a file, options have no dashes. */
export function inSource({ code, problems, detail }: DomainError, source: string): DomainError {
  const named = problems.map(({ field, message }) => {
    const said = source.includes('.') ? message.replace(/^--/, '') : message
    return { field, message: said.startsWith(source) ? said : `${source}: ${said}` }
  })
  return DomainError.ofMany(named, { ...detail, code })
}

/**
 * Words a sentence as help does: lower case, without a full stop. The rows of the control API hold
 * sentences, which documents and agents read as they are.
 */
export const toHelp = (sentence: string): string => toClause(sentence.replaceAll('`', ''))

const mapValues = <Value>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value) => Value,
) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))

/** Reads a command line; throws a sentence about what is wrong with it. */
export function readArgs<Specs extends OptionSpecs>(
  spec: Pick<CommandSpec<Specs>, 'usage' | 'options' | 'words'>,
  args: readonly string[],
): Given<Specs> {
  const { usage, options, words: takesWords } = spec
  const name = nameIn(usage)
  const takesRest = usage.includes(' -- ')
  const end = takesRest ? args.indexOf('--') : -1
  const [typedArgs, rest] = end === -1 ? [args, []] : [args.slice(0, end), args.slice(end + 1)]
  const own = typedArgs.map((arg, at) => withValue(arg, typedArgs[at + 1], options))
  const { values: texts, positionals: words, tokens } = parse(own, options)
  const typed = tokens.filter((token) => token.kind === 'option')
  const form = /^\S+ \S*=/.test(usage) ? usage.replace(' [options]', '') : name
  for (const token of typed) assertOption(token, { name, form }, options)
  const [word] = words
  if (word !== undefined && !takesWords) {
    const problem = takesRest ? 'needs -- before the command' : `takes only options, not ${word}`
    throw invalid(word, `${name} ${problem}.`)
  }
  const values = Object.entries(options).map(([option, each]) => [
    option,
    readOption(`--${option}`, each, texts[option]),
  ])
  const named = typed.map((token) => token.name)
  return { values: Object.fromEntries(values), named, texts, words, rest }
}

/** Writes options as a command line has them, from their texts. */
export const toArgs = (texts: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(texts).flatMap(([name, text]) =>
    [text].flat().map((each) => (each === true ? `--${name}` : `--${name}=${each}`)),
  )

/** Options that are never repeated: a secret, and the form of a report. */
const NEVER_REPEATED = ['json', 'control-token']

/** Writes options once more as they were given, less some. */
export function repeatArgs(
  texts: Readonly<Record<string, unknown>>,
  leftOut: readonly string[],
): string[] {
  const isLeftOut = (name: string) => [...NEVER_REPEATED, ...leftOut].includes(name)
  return toArgs(Object.fromEntries(Object.entries(texts).filter(([name]) => !isLeftOut(name))))
}

/** Writes a command line as a person types it in a shell. */
export const toShellLine = (words: readonly string[]): string =>
  toTyped(['ramp-sandbox', ...words.map(quote)].join(' '))

export function isStartedByNpm(): boolean {
  const { npm_execpath, npm_lifecycle_event, npm_config_user_agent } = process.env
  return Boolean(npm_execpath || npm_lifecycle_event || npm_config_user_agent)
}

/** Words the commands in a text as this one was started, because npx finds what no shell does. */
export const toTyped = (text: string): string =>
  isStartedByNpm()
    ? text.replace(/(?<!npx --no -- )\bramp-sandbox (?=[a-z-])/g, 'npx --no -- ramp-sandbox ')
    : text

export const seeHelp = (command: string): string => `See ramp-sandbox help ${command}.`

/** A word as a shell reads it. */
const quote = (word: string) =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

/** Adds the value of `bare` to an option that is given without one. */
function withValue(arg: string, next: string | undefined, options: OptionSpecs): string {
  const { bare } = (arg.startsWith('--') && options[arg.slice(2)]) || {}
  const isBare = bare !== undefined && (next === undefined || next.startsWith('-'))
  return isBare ? `${arg}=${bare}` : arg
}

/** The value of an option: a boolean for a flag, a list if it may be repeated. */
function readOption(option: string, spec: OptionSpec, given: unknown): unknown {
  const { value, many, env = '', standard, read = (_, text) => text } = spec
  if (value === undefined) return given ?? false
  if (many) return ((given ?? []) as string[]).map((text) => read(option, text))
  const outside = process.env[env]
  if (given === undefined && outside) return read(env, outside)
  const text = given ?? standard
  return text === undefined ? undefined : read(option, String(text))
}

/** Extracts the literal words of a usage, such as `user kyc`. */
const nameIn = (usage: string) =>
  usage
    .split(' ')
    .filter((word) => /^[a-z][a-z-]*$/.test(word))
    .join(' ')

/** Extracts the words beside the options of a command line. */
export const wordsIn = (args: readonly string[], options: OptionSpecs): string[] =>
  parse(args, options).positionals

/** Parses leniently, because our own error messages are better than Node's. */
function parse(args: readonly string[], options: OptionSpecs) {
  const configs = Object.entries(options).map(([name, { value, short, many = false }]) => {
    const type = value === undefined ? ('boolean' as const) : ('string' as const)
    return [name, { type, multiple: many, ...(short !== undefined && { short }) }] as const
  })
  const config = { args: [...args], options: Object.fromEntries(configs), strict: false }
  return parseArgs({ ...config, allowPositionals: true, tokens: true })
}

interface OptionToken {
  name: string
  rawName: string
  value: string | undefined
}

function assertOption(
  { name, rawName, value }: OptionToken,
  command: { name: string; form: string },
  options: OptionSpecs,
) {
  if (/^-\d/.test(rawName)) {
    throw invalid(rawName, `${command.name} does not accept negative values.`)
  }
  const spec = options[name]
  if (spec === undefined) {
    const known = Object.keys(options).map((option) => `--${option}`)
    const problem = `${command.form} has no option ${rawName}${suggest(rawName, known, '.')}`
    throw invalid(rawName, problem, seeHelp(command.name))
  }
  const isRead = spec.isBoolean && (value === 'true' || value === 'false')
  if (spec.value === undefined && value !== undefined && !isRead) {
    const extra = value === 'false' ? rawName : ''
    throw invalid(rawName, `${rawName} takes no value; leave out ${extra}=${value}.`)
  }
  if (spec.value !== undefined && !value && !(spec.mayBeEmpty && value === '')) {
    throw invalid(rawName, `${rawName} needs a value: ${rawName} ${spec.value}.`)
  }
}

function formatHelp(spec: CommandSpec<OptionSpecs>): string {
  const { usage, about, options, groups, start = {} } = spec
  const own = Object.entries(options).filter(([name, option]) => option !== start[name])
  const lists = Object.entries(groups ?? { Options: Object.fromEntries(own) })
    .filter(([, specs]) => Object.keys(specs).length > 0)
    .map(([title, specs]) => `\n${title}\n${formatRows(Object.entries(specs).map(describeOption))}`)
  const others = Object.keys(start).filter((name) => !(name in options))
  const shown = others.map((name) => `--${name}`)
  const more = spec.start
    ? `\nalso takes the options of start except ${wordList(shown, 'and')}: run ramp-sandbox help start\n`
    : ''
  const paragraphs = toHelp(about)
    .split('\n\n')
    .map((paragraph) => wrap(paragraph.replaceAll('\n', ' '), 80).join('\n'))
  return `Usage: ramp-sandbox ${usage}\n\n${paragraphs.join('\n\n')}\n${lists.join('')}${more}`
}

function describeOption([name, { value, many, short, help, env, standard }]: [string, OptionSpec]) {
  const shown = `${short ? `-${short}, ` : '    '}--${name}${value ? ` ${value}` : ''}`
  const otherwise = [env, standard]
    .filter((text) => text !== undefined)
    .join(' in the environment, or ')
  const said = toHelp(help)
  const text = otherwise ? `${said}; ${otherwise} by default` : said
  return [`${shown}${many ? ' …' : ''}`, text] as const
}

/** Formats two aligned columns; the second one wraps at the width of the terminal. */
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
  for (const { message } of problems) printText(`ramp-sandbox: ${message}`, process.stderr)
  if (detail.hint) printText(`  ${toTyped(detail.hint)}`, process.stderr)
}
