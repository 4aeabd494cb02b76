import { type Command, createCommand, formatRows, type OptionSpecs, wordsIn } from '../command.ts'
import { fail, REMOTE_OPTIONS, withSandbox } from '../remote.ts'
import { printJson, printText } from '../terminal.ts'
import { fieldsOf } from './fields.ts'
import { formatResponse } from './format.ts'
import { printRefusal, type Typed } from './refusal.ts'
import { NOTES, type Ran, runOperation, SPECIALS } from './runs.ts'
import { assertComplete, findPhrase, type Phrase, phrasesAfter } from './words.ts'

/**
 * Creates the command for literal words. If only the first word is given, such as `user`, the
 * phrase is picked by the words that follow.
 */
export function createControlCommand(typed: readonly string[]): Command {
  const [first = ''] = typed
  const all = phrasesAfter([first])
  const named = all.find(({ name }) => typed.length > 1 && name === typed.join(' '))
  if (named) return toCommand(named)
  const commands = all.map(toCommand)
  const [only, ...others] = commands
  if (only !== undefined && others.length === 0) return only
  const usage = `${first} … [options]`
  const about = formatRows(all.map(({ text, summary }) => [text, summary.replaceAll('`', '')]))
  const more = `ramp-sandbox help ${all.at(-1)?.name} shows the options of that command.`
  const options: OptionSpecs = Object.assign({}, ...commands.map((command) => command.options))
  return {
    usage,
    about,
    options,
    exits: EXITS,
    help: () => `Usage: ramp-sandbox ${usage}\n\n${about}\n${more}\n`,
    run: (args) => toCommand(findPhrase([first, ...wordsIn(args, options)])).run(args),
  }
}

const EXITS = {
  1: 'The sandbox refused the call, what was waited for did not come, or a receiver responded wrongly.',
}

/** Creates the command of one phrase, such as `user kyc USER STATUS`. */
export function toCommand(phrase: Phrase): Command {
  const { text, operation } = phrase
  const options = optionsOf(phrase)
  return createCommand({
    usage: `${text} [options]`,
    about: describePhrase(phrase),
    words: true,
    options,
    exits: EXITS,
    async act({ values, words }) {
      const typed = readInput(phrase, [...text.split(' ', 1), ...words], values)
      const { input } = typed
      await withSandbox(
        values as object,
        async (sandbox) => {
          const ran = await runOperation({ operation, sandbox, input, special: values })
          const { response, problem } = ran
          if (values.json && response !== undefined) printJson(response)
          else if (response !== undefined) printForPeople(operation, ran, values)
          if (problem !== undefined) fail(problem)
        },
        (error) => printRefusal(error, typed),
      )
    },
  })
}

/** Results go to stdout, everything else to stderr. */
function printForPeople(
  { as }: Phrase['operation'],
  { response, text, note, problem }: Ran,
  values: object,
) {
  const shown = text ?? formatResponse(as, response as object, values as Input)
  printText(shown)
  if (shown === '' && !problem) printText('none', process.stderr)
  if (note) printText(note, process.stderr)
}

/** Help text: the summary, the values that words may have, and an example. */
function describePhrase(phrase: Phrase): string {
  const { summary, words, example, operation } = phrase
  const labels = new Map(words.map(({ field, text }) => [field, text]))
  const values = fieldsOf(phrase)
    .asWord.filter((field) => field.values.length > 0)
    .map((field) => `${labels.get(field.name)}: ${field.values.join(', ')}`)
  const sample = example && `ramp-sandbox ${example}`
  const paragraphs = [`${summary}.`, ...values, NOTES[operation.as], sample]
  return paragraphs.filter(Boolean).join('\n\n').replaceAll('`', '')
}

function optionsOf(phrase: Phrase): OptionSpecs & typeof REMOTE_OPTIONS {
  const own = fieldsOf(phrase).asOption.map((field) => [field.option, field])
  return { ...Object.fromEntries(own), ...SPECIALS[phrase.operation.as], ...REMOTE_OPTIONS }
}

type Input = Record<string, unknown>

/** Collects the input to send, and how each field was typed, for error messages. */
function readInput(phrase: Phrase, typed: readonly string[], values: Input): Typed {
  assertComplete(phrase, typed)
  const { asWord, asOption } = fieldsOf(phrase)
  const fromWords = asWord.map(({ name, many, read }) => {
    const at = phrase.words.findIndex(({ field }) => field === name)
    const label = phrase.words[at]?.text ?? ''
    const text = many ? typed.slice(at) : typed[at]
    return { name, label, text, value: text && read && !many ? read(label, String(text)) : text }
  })
  const fromOptions = asOption.map(({ name, option, isMap }) => {
    const text = values[option]
    const value = isMap ? toMap(text as [string, string][]) : text
    return { name, label: `--${option}`, text, value }
  })
  const given: Typed = { input: { ...phrase.sends }, texts: {}, labels: {} }
  for (const { name, label, text, value } of [...fromWords, ...fromOptions]) {
    given.labels[name] = label
    given.texts[name] = text
    const isLeftOut = Array.isArray(value)
      ? value.length === 0
      : value === undefined || value === false
    if (!isLeftOut) put(given.input, name.split('.'), value)
  }
  return given
}

const toMap = (pairs: readonly [string, string][]) =>
  pairs.length > 0 ? Object.fromEntries(pairs) : undefined

/** Sets a nested field, such as `then.status`. */
function put(input: Input, [own = '', ...inner]: readonly string[], value: unknown): void {
  if (inner.length === 0) input[own] = value
  else {
    input[own] ??= {}
    put(input[own] as Input, inner, value)
  }
}
