import {
  type Command,
  createCommand,
  type OptionSpec,
  type OptionSpecs,
  wordsIn,
} from '../command.ts'
import { invalid } from '../option-values.ts'
import { fail, REMOTE_OPTIONS, withSandbox } from '../remote.ts'
import { printJson, printText } from '../terminal.ts'
import { type Field, fieldsOf } from './fields.ts'
import { formatAnswer } from './format.ts'
import { printRefusal } from './refusal.ts'
import { runLever, SPECIALS } from './runs.ts'
import { assertComplete, findPhrase, nameOf, type Phrase, phrasesOf } from './words.ts'

/** The command of a first word, such as `user`: of its phrases it runs the one that was typed. */
export function createLeverCommand(first: string): Command {
  const all = phrasesOf(first)
  const visible = all.filter(({ isHidden }) => !isHidden)
  const [only, ...others] = (visible.length > 0 ? visible : all).map(toCommand)
  if (only !== undefined && others.length === 0) return only
  const width = Math.max(...visible.map(({ text }) => text.length))
  const rows = visible.map((phrase) => `${phrase.text.padEnd(width)}  ${summaryOf(phrase)}`)
  const about = rows.join('\n')
  const options: OptionSpecs = Object.assign({}, ...all.map((phrase) => toCommand(phrase).options))
  const last = visible.at(-1)
  return {
    usage: `${first} … [options]`,
    about,
    options,
    exits: EXITS,
    help: () => `${about}\n\nramp-sandbox help ${last && nameOf(last)} shows the options of one.\n`,
    run: (args) => toCommand(findPhrase([first, ...wordsIn(args, options)])).run(args),
  }
}

const EXITS = { 1: 'The sandbox refused the call, or what was waited for did not come.' }

/** One way to call a lever, such as `user kyc USER STATUS`: one call to a sandbox that runs. */
export function toCommand(phrase: Phrase): Command {
  const {
    text,
    lever,
    words: [first],
  } = phrase
  return createCommand({
    usage: `${text} [options]`,
    about: describePhrase(phrase),
    words: true,
    options: optionsOf(phrase),
    exits: EXITS,
    async act({ values, words }) {
      const typed = [first?.kind === 'literal' ? first.text : '', ...words]
      const { input, ...given } = readInput(phrase, typed, values)
      await withSandbox(
        values as object,
        async (sandbox) => {
          const { answer, problem } = await runLever({ lever, sandbox, input, special: values })
          if (values.json) printJson(answer)
          else if (answer !== undefined) {
            const shown = formatAnswer(lever.as, answer, values)
            printText(shown)
            if (shown === '' && !problem) printText('none yet', process.stderr)
          }
          if (problem !== undefined) fail(problem)
        },
        (error) => printRefusal(error, given),
      )
    },
  })
}

function describePhrase(phrase: Phrase): string {
  const { lever, words, preset } = phrase
  const fields = fieldsOf(lever, preset)
  const values = words.flatMap((word) => {
    const field = word.kind === 'field' && fields.find(({ name }) => name === word.field)
    return field && field.values.length > 0 ? [`${word.label}: ${field.values.join(', ')}`] : []
  })
  const { example } = lever
  const isOwn = Object.keys(preset).length === 0 || example?.startsWith(nameOf(phrase))
  const examples = example && isOwn ? [`ramp-sandbox ${example}`] : []
  return [`${summaryOf(phrase)}.`, ...values, ...examples].join('\n\n').replaceAll('`', '')
}

/** What it does; of a phrase that sends a field by itself, what that field does. */
function summaryOf({ preset, lever }: Phrase): string {
  const own = fieldsOf(lever, preset).find(({ name, type }) => type === 'flag' && name in preset)
  return own?.help.replace(/\.$/, '') ?? lever.summary
}

export function helpOf(typed: readonly string[]): string | undefined {
  const found = phrasesOf(typed[0] ?? '').find((phrase) => nameOf(phrase) === typed.join(' '))
  return found && toCommand(found).help()
}

function optionsOf(phrase: Phrase) {
  const own = optionFields(phrase).map((field) => [field.option, toOption(field)] as const)
  const specs: OptionSpecs = { ...Object.fromEntries(own), ...SPECIALS[phrase.lever.as] }
  return { ...specs, ...REMOTE_OPTIONS }
}

/** The fields of a phrase that are none of its words. */
export function optionFields({ lever, words, preset }: Phrase): Field[] {
  const said = words.flatMap((word) => (word.kind === 'field' ? [word.field] : []))
  const others = [...said, ...Object.keys(preset), ...(lever.hides ?? [])]
  return fieldsOf(lever, preset).filter(({ name }) => !others.includes(name))
}

const VALUES_SHOWN_MAX = 12

function toOption({ type, isMany, values, help, label }: Field): OptionSpec {
  // The first sentence, as help is read in a terminal.
  const short = help.replaceAll('`', '').split(/\.(?: |$)/)[0] ?? ''
  if (type === 'flag' && !isMany) return { help: short }
  const isListed = values.length > 0 && values.length <= VALUES_SHOWN_MAX
  const listed = isListed ? ` (${values.join(', ')})` : ''
  return { value: label, help: `${short}${listed}`, ...(isMany && { many: true }) }
}

type Input = Record<string, unknown>

/** What is sent; and by field, what was typed and what that was called. */
function readInput(phrase: Phrase, typed: readonly string[], values: Input) {
  assertComplete(phrase, typed)
  const { lever, preset, words } = phrase
  const texts: Input = {}
  const labels: Record<string, string> = {}
  words.forEach((word, at) => {
    if (word.kind === 'literal') return
    labels[word.field] = word.label
    texts[word.field] = word.isMany ? typed.slice(at) : typed[at]
  })
  for (const { name, option } of optionFields(phrase)) {
    labels[name] = `--${option}`
    texts[name] = values[option]
  }
  const input: Input = { ...preset }
  for (const field of fieldsOf(lever, preset)) {
    const text = texts[field.name]
    const isGiven = text === true || (text as string | string[] | undefined)?.length
    if (isGiven) put(input, field.name.split('.'), toValue(field, text))
  }
  return { input, texts, labels }
}

function toValue({ type, isMany, option }: Field, text: unknown): unknown {
  if (isMany) return text
  if (type === 'number') {
    const number = String(text).trim() === '' ? Number.NaN : Number(text)
    return Number.isFinite(number) ? number : text
  }
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
