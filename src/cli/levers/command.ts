import type { Sandbox } from '../../client/client.ts'
import { type Command, createCommand, type OptionSpec, type OptionSpecs } from '../command.ts'
import { invalid } from '../option-values.ts'
import { fail, REMOTE_OPTIONS, withSandbox } from '../remote.ts'
import { printJson, printText } from '../terminal.ts'
import { type Field, fieldsOf } from './fields.ts'
import { formatAnswer } from './format.ts'
import { printTypedRefusal } from './refusal.ts'
import { RUNS, SPECIALS } from './runs.ts'
import { findPhrase, type Phrase, phrasesOf } from './words.ts'

type Input = Record<string, unknown>

/** The command of a first word, such as `user`: one call to a sandbox that runs. */
export function createLeverCommand(first: string): Command {
  const phrases = phrasesOf(first)
  const levers = [...new Set(phrases.map(({ lever }) => lever))]
  const shown = phrases.filter(({ isHidden }) => !isHidden)
  const [only] = shown.length === 0 ? phrases : shown
  const isOne = levers.length === 1
  const command = createCommand({
    usage: isOne && only ? `${only.text} [options]` : `${first} … [options]`,
    about: isOne && only ? describe(only) : formatGroup(shown),
    words: true,
    options: {
      ...Object.assign({}, ...levers.map((lever) => optionsOf(phraseFor(lever.as, phrases)))),
      ...REMOTE_OPTIONS,
    },
    exits: { 1: 'The sandbox refused the call, or what was waited for did not come.' },
    async act({ values, words }) {
      const typed = [first, ...words]
      const phrase = findPhrase(typed)
      const given = readInput(phrase, typed, values)
      await withSandbox(
        values as object,
        async (sandbox) => {
          const { answer, problem } = await run({ phrase, sandbox, ...given })
          if (values.json) printJson(answer)
          else if (answer !== undefined)
            printText(formatAnswer(phrase.lever.as, answer, given.special))
          if (problem !== undefined) fail(problem)
        },
        (error) => {
          printTypedRefusal(error, { phrase, labels: given.labels, typed: given.typed })
          process.exitCode = 1
        },
      )
    },
  })
  if (isOne) return command
  const hint = `ramp-sandbox help ${only?.text.replace(/ [A-Z[].*/, '')} shows the options of one.`
  return { ...command, help: () => `${formatGroup(shown)}\n\n${hint}\n` }
}

const phraseFor = (as: string, phrases: readonly Phrase[]) =>
  phrases.find(({ lever }) => lever.as === as) as Phrase

const describe = ({ lever }: Phrase) => {
  const example = lever.example === undefined ? '' : `\n\nramp-sandbox ${lever.example}`
  return `${lever.summary}.${example}`
}

function formatGroup(phrases: readonly Phrase[]): string {
  const width = Math.max(...phrases.map(({ text }) => text.length))
  return phrases.map(({ text, lever }) => `${text.padEnd(width)}  ${lever.summary}`).join('\n')
}

/** The help of one command of a group, such as `user kyc`. */
export function helpOf(typed: readonly string[]): string | undefined {
  const [first = ''] = typed
  const found = phrasesOf(first).find(({ words }) => {
    const literals = words.flatMap((word) => (word.kind === 'literal' ? [word.text] : []))
    return literals.length === typed.length && literals.every((text, at) => text === typed[at])
  })
  if (found === undefined) return undefined
  return createCommand({
    usage: `${found.text} [options]`,
    about: describe(found),
    options: { ...optionsOf(found), ...REMOTE_OPTIONS },
    act: () => undefined,
  }).help()
}

/** The fields of a lever that are not words of its phrase, as options. */
export function optionsOf(phrase: Phrase): OptionSpecs {
  const { lever } = phrase
  const own = optionFields(phrase).map((field): [string, OptionSpec] => [
    field.option,
    toOption(field),
  ])
  return { ...Object.fromEntries(own), ...SPECIALS[lever.as] }
}

export const optionFields = (phrase: Phrase): Field[] =>
  fieldsOf(phrase.lever).filter(({ name }) => !wordFields(phrase).includes(name))

const wordFields = ({ words, preset }: Phrase) => [
  ...words.flatMap((word) => (word.kind === 'field' ? [word.field] : [])),
  ...Object.keys(preset),
]

const VALUES_SHOWN_MAX = 12

function toOption({ type, isMany, values, help, label }: Field): OptionSpec {
  if (type === 'flag' && !isMany) return { help: shorten(help) }
  const isShort = values.length > 0 && values.length <= VALUES_SHOWN_MAX
  const listed = isShort ? ` (${values.join(', ')})` : ''
  return { value: label, help: `${shorten(help)}${listed}`, ...(isMany && { many: true }) }
}

/** The first sentence, as help is read in a terminal. */
const shorten = (help: string) => help.replaceAll('`', '').split(/\.(?: |$)/)[0] ?? ''

/** What was typed, by field, and what each field was called. */
function readInput(phrase: Phrase, typed: readonly string[], values: object) {
  const texts: Record<string, unknown> = {}
  const labels: Record<string, string> = {}
  phrase.words.forEach((word, at) => {
    if (word.kind === 'literal') return
    labels[word.field] = word.label
    const text = word.isMany ? typed.slice(at) : typed[at]
    if (text !== undefined && text.length > 0) texts[word.field] = text
  })
  const kind = typeof texts.on === 'string' ? texts.on : undefined
  const all = fieldsOf(phrase.lever)
  const fitting = fieldsOf(phrase.lever, kind)
  const fields = fitting.length > 1 ? fitting : all
  const given = values as Record<string, unknown>
  const words = wordFields(phrase)
  for (const [option, text] of Object.entries(given)) {
    if (text === undefined || text === false || (Array.isArray(text) && text.length === 0)) continue
    const own = fields.find((field) => field.option === option && !words.includes(field.name))
    if (own) {
      texts[own.name] = text
      labels[own.name] = `--${option}`
    } else if (!Object.hasOwn(REMOTE_OPTIONS, option) && !SPECIALS[phrase.lever.as]?.[option]) {
      const name = phrase.text.replace(/ [A-Z[].*/, '')
      throw invalid(`--${option}`, `${name}${kind ? ` ${kind}` : ''} does not take --${option}.`)
    }
  }
  const input: Input = {}
  const path: Record<string, string> = {}
  for (const field of fields) {
    const text = texts[field.name]
    if (text === undefined) continue
    if (field.in === 'path') path[field.name] = String(text)
    else put(input, field.name.split('.'), toValue(field, text))
  }
  return { input: { ...phrase.preset, ...input }, path, special: given, labels, typed: texts }
}

function toValue({ type, isMany, option }: Field, text: unknown): unknown {
  if (isMany) return text
  if (type === 'number' && String(text).trim() !== '' && Number.isFinite(Number(text)))
    return Number(text)
  if (type !== 'json') return text
  try {
    return JSON.parse(String(text))
  } catch {
    throw invalid(
      `--${option}`,
      `--${option} must be JSON such as {"retry-after":"30"}, not ${text}.`,
    )
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
  special: Record<string, unknown>
}

async function run({ phrase: { lever }, sandbox, input, path, special }: Running) {
  const own = RUNS[lever.as]
  const target = lever.path
    .replace('/_sandbox', '')
    .replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
  const send = (sent: Input = input) => {
    const call = lever.method === 'GET' ? { query: sent as Record<string, string> } : { body: sent }
    return sandbox.control(lever.method as 'GET', target, lever.method === 'DELETE' ? {} : call)
  }
  return own ? await own({ sandbox, input, path, special, send }) : { answer: await send() }
}
