import { type Command, createCommand, type OptionSpecs, wordsIn } from '../command.ts'
import { fail, REMOTE_OPTIONS, withSandbox } from '../remote.ts'
import { printJson, printText } from '../terminal.ts'
import { type Field, fieldsOf } from './fields.ts'
import { formatResponse } from './format.ts'
import { printRefusal } from './refusal.ts'
import { runLever, SPECIALS } from './runs.ts'
import { assertComplete, findPhrase, nameOf, type Phrase, phrasesOf } from './words.ts'

/** The command of a first word, such as `user`: of its phrases it runs the one that was typed. */
export function createLeverCommand(first: string): Command {
  const all = phrasesOf(first)
  const visible = all.filter(({ isHidden }) => !isHidden)
  const commands = (visible.length > 0 ? visible : all).map(toCommand)
  const [only, ...others] = commands
  if (only !== undefined && others.length === 0) return only
  const width = Math.max(...visible.map(({ text }) => text.length))
  const rows = visible.map((phrase) => `${phrase.text.padEnd(width)}  ${summaryOf(phrase)}`)
  const about = rows.join('\n').replaceAll('`', '')
  const options: OptionSpecs = Object.assign({}, ...commands.map((command) => command.options))
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
  const { text, lever } = phrase
  return createCommand({
    usage: `${text} [options]`,
    about: describePhrase(phrase),
    words: true,
    options: optionsOf(phrase),
    exits: EXITS,
    async act({ values, words }) {
      const typed = [...text.split(' ', 1), ...words]
      const { input, ...given } = readInput(phrase, typed, values)
      await withSandbox(
        values as object,
        async (sandbox) => {
          const { response, problem } = await runLever({ lever, sandbox, input, special: values })
          if (values.json) printJson(response)
          else if (response !== undefined) {
            const shown = formatResponse(lever.as, response, values)
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

/** Summary; of a phrase that sends a field by itself, that of the field. */
function summaryOf({ preset, lever }: Phrase): string {
  const own = fieldsOf(lever, preset).find(({ name, value }) => !value && name in preset)
  return own?.help ?? lever.summary
}

export function helpOf(typed: readonly string[]): string | undefined {
  const found = phrasesOf(typed[0] ?? '').find((phrase) => nameOf(phrase) === typed.join(' '))
  return found && toCommand(found).help()
}

const optionsOf = (phrase: Phrase) => ({
  ...optionFields(phrase),
  ...SPECIALS[phrase.lever.as],
  ...REMOTE_OPTIONS,
})

/** The fields of a phrase that are none of its words, by option. */
export function optionFields({ lever, words, preset }: Phrase): Record<string, Field> {
  const said = words.flatMap((word) => (word.kind === 'field' ? [word.field] : []))
  const others = [...said, ...Object.keys(preset), ...(lever.hides ?? [])]
  const fields = fieldsOf(lever, preset).filter(({ name }) => !others.includes(name))
  return Object.fromEntries(fields.map((field) => [field.option, field]))
}

type Input = Record<string, unknown>

/** Input to send; and by field, what was typed and what that was called. */
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
  const input: Input = { ...preset }
  for (const { name, many, read } of fieldsOf(lever, preset)) {
    const text = texts[name]
    if (!text) continue
    put(input, name, read && !many ? read(labels[name] ?? '', String(text)) : text)
  }
  for (const [option, { name }] of Object.entries(optionFields(phrase))) {
    const value = values[option]
    const isGiven = Array.isArray(value) ? value.length > 0 : value
    labels[name] = `--${option}`
    texts[name] = value
    if (isGiven !== undefined && isGiven !== false) put(input, name, value)
  }
  return { input, texts, labels }
}

/** `then.status` is in a record of its own. */
function put(input: Input, name: string, value: unknown): void {
  const [own = '', ...rest] = name.split('.')
  if (rest.length === 0) input[own] = value
  else {
    input[own] ??= {}
    put(input[own] as Input, rest.join('.'), value)
  }
}
