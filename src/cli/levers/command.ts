import type { Sandbox } from '../../client/client.ts'
import type { SandboxError } from '../../client/error.ts'
import { contentOf, fillPath } from '../../client/http.ts'
import { type Command, createCommand, type OptionSpec, type OptionSpecs } from '../command.ts'
import { invalid } from '../option-values.ts'
import { fail, REMOTE_OPTIONS, withSandbox } from '../remote.ts'
import { printJson, printText } from '../terminal.ts'
import { type Field, fieldsOf } from './fields.ts'
import { formatAnswer } from './format.ts'
import { RUNS, SPECIALS } from './runs.ts'
import { findPhrase, nameOf, PHRASES, type Phrase, phrasesOf } from './words.ts'

type Input = Record<string, unknown>

/** The command of a first word, such as `user`: one call to a sandbox that runs. */
export function createLeverCommand(first: string): Command {
  const phrases = phrasesOf(first)
  const visible = phrases.filter(({ isHidden }) => !isHidden)
  const [only] = visible.length === 0 ? phrases : visible
  const levers = new Set(phrases.map(({ lever }) => lever.as))
  const isOne = levers.size === 1 && only !== undefined
  const list = formatGroup(visible)
  const command = createCommand({
    ...(isOne ? describePhrase(only) : { usage: `${first} … [options]`, about: list }),
    words: true,
    options: { ...Object.assign({}, ...phrases.map(optionsOf)), ...REMOTE_OPTIONS },
    exits: EXITS,
    async act({ values, words }) {
      const typed = [first, ...words]
      const phrase = findPhrase(typed)
      const given = readInput(phrase, typed, values)
      await withSandbox(
        values as object,
        async (sandbox) => {
          const { answer, problem } = await run({ phrase, sandbox, ...given })
          if (values.json) printJson(answer)
          else if (answer !== undefined) {
            const text = formatAnswer(phrase.lever.as, answer, given.special)
            printText(text)
            if (text === '' && !problem) printText('none yet', process.stderr)
          }
          if (problem !== undefined) fail(problem)
        },
        (error) => printRefusal(error, { phrase, ...given }),
      )
    },
  })
  if (isOne) return command
  const names = visible.map(nameOf)
  const hint = `ramp-sandbox help ${names.at(-1)} shows the options of one.`
  return { ...command, help: () => `${list}\n\n${hint}\n` }
}

const EXITS = { 1: 'The sandbox refused the call, or what was waited for did not come.' }

function formatGroup(phrases: readonly Phrase[]): string {
  const width = Math.max(...phrases.map(({ text }) => text.length))
  return phrases.map((phrase) => `${phrase.text.padEnd(width)}  ${summaryOf(phrase)}`).join('\n')
}

function describePhrase(phrase: Phrase) {
  const { example } = phrase.lever
  const values = phrase.words.flatMap((word) => {
    const field =
      word.kind === 'field' && fieldsOf(phrase.lever).find(({ name }) => name === word.field)
    return field && field.values.length > 0 ? [`${word.label}: ${field.values.join(', ')}`] : []
  })
  const paragraphs = [
    `${summaryOf(phrase)}.`,
    ...values,
    ...(example ? [`ramp-sandbox ${example}`] : []),
  ]
  const about = paragraphs.join('\n\n').replaceAll('`', '')
  return { usage: `${phrase.text} [options]`, about }
}

/** What it does; of a phrase that sends a field by itself, what that field does. */
function summaryOf({ preset, lever }: Phrase): string {
  const own = fieldsOf(lever).find(({ name }) => name in preset)
  return own?.help.replace(/\.$/, '') ?? lever.summary
}

/** One command of a group, such as `user kyc`, for its help and for the list of commands. */
export const toCommand = (phrase: Phrase): Command =>
  createCommand({
    ...describePhrase(phrase),
    options: { ...optionsOf(phrase), ...REMOTE_OPTIONS },
    exits: EXITS,
    act: () => undefined,
  })

export function helpOf(typed: readonly string[]): string | undefined {
  const found = phrasesOf(typed[0] ?? '').find((phrase) => nameOf(phrase) === typed.join(' '))
  return found && toCommand(found).help()
}

/** The fields of a lever that are not words of its phrase, as options. */
function optionsOf(phrase: Phrase): OptionSpecs {
  const own: Record<string, OptionSpec> = {}
  for (const field of optionFields(phrase)) {
    const spec = toOption(field)
    const before = own[field.option]?.help
    // One option may stand for a field of each kind, such as the status of a fault.
    const isOther = before !== undefined && before !== spec.help
    own[field.option] = isOther ? { ...spec, help: `${before}; or: ${spec.help}` } : spec
  }
  return { ...own, ...SPECIALS[phrase.lever.as] }
}

export const optionFields = (phrase: Phrase, kind?: string): Field[] =>
  fieldsOf(phrase.lever, kind).filter(({ name }) => !wordFields(phrase).includes(name))

const wordFields = ({ words, preset }: Phrase) => [
  ...words.flatMap((word) => (word.kind === 'field' ? [word.field] : [])),
  ...Object.keys(preset),
]

const VALUES_SHOWN_MAX = 12

function toOption({ type, isMany, values, help, label }: Field): OptionSpec {
  // The first sentence, as help is read in a terminal.
  const short = help.replaceAll('`', '').split(/\.(?: |$)/)[0] ?? ''
  if (type === 'flag' && !isMany) return { help: short }
  const isListed = values.length > 0 && values.length <= VALUES_SHOWN_MAX
  const listed = isListed ? ` (${values.join(', ')})` : ''
  return { value: label, help: `${short}${listed}`, ...(isMany && { many: true }) }
}

/** What was typed, by field, and what each field was called. */
function readInput(phrase: Phrase, typed: readonly string[], values: object) {
  const texts: Input = {}
  const labels: Record<string, string> = {}
  phrase.words.forEach((word, at) => {
    if (word.kind === 'literal') return
    labels[word.field] = word.label
    const text = word.isMany ? typed.slice(at) : typed[at]
    if (text !== undefined && text.length > 0) texts[word.field] = text
  })
  const kind = typeof texts.on === 'string' ? texts.on : undefined
  const fitting = fieldsOf(phrase.lever, kind)
  const fields = fitting.length > 1 ? fitting : fieldsOf(phrase.lever)
  const words = wordFields(phrase)
  const others = { ...REMOTE_OPTIONS, ...SPECIALS[phrase.lever.as] }
  for (const [option, text] of Object.entries(values)) {
    if (text === undefined || text === false || text.length === 0) continue
    const own = fields.find((field) => field.option === option && !words.includes(field.name))
    if (own) {
      texts[own.name] = text
      labels[own.name] = `--${option}`
    } else if (!Object.hasOwn(others, option)) {
      const name = `${nameOf(phrase)}${kind ? ` ${kind}` : ''}`
      throw invalid(`--${option}`, `${name} does not take --${option}.`)
    }
  }
  const input: Input = { ...phrase.preset }
  const path: Record<string, string> = {}
  for (const field of fields) {
    const text = texts[field.name]
    if (text === undefined) continue
    if (field.in === 'path') path[field.name] = String(text)
    else put(input, field.name.split('.'), toValue(field, text))
  }
  return { input, path, special: values as Input, labels, typed: texts }
}

function toValue({ type, isMany, option }: Field, text: unknown): unknown {
  if (isMany) return text
  const number = Number(text)
  if (type === 'number')
    return String(text).trim() !== '' && Number.isFinite(number) ? number : text
  if (type !== 'json') return text
  try {
    return JSON.parse(String(text))
  } catch {
    const example = 'JSON such as {"retry-after":"30"}'
    throw invalid(`--${option}`, `--${option} must be ${example}, not ${text}.`)
  }
}

function put(input: Input, [name = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) input[name] = value
  else {
    input[name] ??= {}
    put(input[name] as Input, rest, value)
  }
}

interface Running {
  phrase: Phrase
  sandbox: Sandbox
  input: Input
  path: Record<string, string>
  special: Input
}

async function run({ phrase: { lever }, ...given }: Running) {
  const { method, as } = lever
  const path = fillPath(lever.path.replace('/_sandbox', ''), given.path)
  const send = (sent: Input = given.input) =>
    given.sandbox.control(method as 'GET', path, contentOf(method, sent))
  return (await RUNS[as]?.({ ...given, send })) ?? { answer: await send(), problem: undefined }
}

type Typed = Pick<ReturnType<typeof readInput>, 'labels' | 'typed'> & { phrase: Phrase }

/** Says why a call was refused in the words that were typed, and what would work. */
function printRefusal(error: SandboxError, given: Typed): void {
  const { problems, message, hint } = error
  const [title = message] = message.split(hint ?? '\u0000')
  for (const problem of problems.length > 0 ? problems : [{ field: '', message: title }]) {
    fail(toWords(problem, given))
  }
  const help = nextStep(error, given.typed) ?? (hint && inCommands(hint))
  if (help) printText(`  ${help}`, process.stderr)
}

function toWords({ field, message }: { field: string; message: string }, given: Typed): string {
  const escaped = field.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const wrong = new RegExp(`^${escaped} must be (.+?)(?:, not .*)?\\.$`, 's').exec(message)
  const text = given.typed[field]
  if (wrong && text !== undefined) return `${text} is not ${wrong[1]}.`
  const label = given.labels[field]
  return inCommands(label ? message.replace(new RegExp(`^${escaped}(?![\\w.])`), label) : message)
}

/** What makes the call possible, where one command does. */
function nextStep({ code, problems }: SandboxError, typed: Input): string | undefined {
  const user = typed.user ?? typed.email
  if (user === undefined) return undefined
  if (code === 'not-verified') return `ramp-sandbox user kyc ${user} verified makes it possible.`
  const isUser = problems.length === 0 || problems.some(({ field }) => field === 'user')
  if (code !== 'not-found' || !isUser) return undefined
  return String(user).includes('@')
    ? `ramp-sandbox user add ${user} --verified creates this user.`
    : 'ramp-sandbox user list shows the users.'
}

/** A sentence with commands and options for the calls and fields that it names. */
function inCommands(text: string): string {
  const sentence = text
    .replace(/send \{ "(\w+)": true \}/g, (_, field) => `add --${field}`)
    .replace(/GET \/v2\/users\?email=…/g, 'ramp-sandbox user show EMAIL')
  const calls = /\b(GET|POST|PUT|PATCH|DELETE) (\/_sandbox\/[\w/:{}.@-]+)/g
  return sentence.replace(calls, (call, method, path) => {
    const found = PHRASES.find(({ lever, isHidden }) => {
      const form = new RegExp(`^${lever.path.replace(/:\w+/g, '[^/]+')}$`)
      return !isHidden && lever.method === method && form.test(path)
    })
    return found ? `ramp-sandbox ${found.text}` : call
  })
}
