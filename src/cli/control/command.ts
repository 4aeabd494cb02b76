import type { Sandbox } from '../../client/client.ts'
import { callOperation } from '../../client/control-api.ts'
import type { ControlOperation } from '../../control-api/index.ts'
import { inputsOf } from '../../control-api/inputs.ts'
import {
  type Command,
  createCommand,
  formatRows,
  type OptionSpecs,
  toHelp,
  wordsIn,
} from '../command.ts'
import { isMap, LENGTH } from '../option-values.ts'
import { fail, REMOTE_OPTIONS, withSandbox } from '../remote.ts'
import { printJson, printText } from '../terminal.ts'
import { fieldsOf, type Input, readInput } from './input.ts'
import { formatResponse, rowsOf } from './print.ts'
import { printRefusal } from './refusal.ts'
import { findPhrase, type Phrase, phrasesAfter } from './words.ts'

const EXITS = {
  1: 'the sandbox refused the call, a wait timed out, or a receiver returned an error',
}

/** Rows of a list that are shown by default. */
const SHOWN = 20
const PAGE_MAX = 1_000

/**
 * Creates the command for literal words. If several phrases begin with them, such as with `user`,
 * the phrase is picked by the words that follow.
 */
export function createControlCommand(typed: readonly string[]): Command {
  const [first = ''] = typed
  const all = phrasesAfter([first])
  const named = all.filter(({ name, flags }) => name === [...typed, ...flags].join(' '))
  const meant = named.length > 0 && (typed.length > 1 || named.length === all.length) ? named : all
  const commands = meant.map(toCommand)
  const [only, ...others] = commands
  if (only !== undefined && others.length === 0) return only
  const usage = `${first} … [options]`
  const about = formatRows(meant.map(({ text, summary }) => [text, summary]))
  const last = meant.findLast(({ name }) => name !== first)
  const more = last
    ? `ramp-sandbox help ${last.name}, for example, lists the options of ${last.name}\n`
    : ''
  const options: OptionSpecs = Object.assign({}, ...commands.map((command) => command.options))
  return {
    usage,
    about,
    options,
    exits: only?.exits ?? EXITS,
    help: () => {
      // The same words in several forms, such as `rates` and `rates COIN=PRICE`.
      if (meant === named) return commands.map((command) => command.help()).join('\n')
      return `Usage: ramp-sandbox ${usage}\n\n${about}\n${more}`
    },
    run: (args) => toCommand(findPhrase([first, ...wordsIn(args, options)], args)).run(args),
  }
}

/** Creates the command of one phrase, such as `user kyc USER STATUS`. */
export function toCommand(phrase: Phrase): Command {
  const { text, operation } = phrase
  return createCommand({
    usage: `${text} [options]`,
    // Only help needs it, and makes it from the schema of every field.
    get about() {
      return describePhrase(phrase)
    },
    words: true,
    options: optionsOf(phrase),
    exits: EXITS,
    async act({ values, words }) {
      const given = await readInput(phrase, [...text.split(' ', 1), ...words], values as Input)
      const flag = Object.entries(operation.flags ?? {}).find(
        ([name]) => values[name as never],
      )?.[1]
      const input = { ...flag?.sends, ...given.input }
      const read = async (sandbox: Sandbox) => {
        const { response, older } = await call(operation, sandbox, input)
        const value = flag?.prints(response as never)
        if (values.json) printJson(response)
        else if (flag) printText(value ?? '')
        else printText(formatResponse(operation, response))
        const problem = flag
          ? value === undefined && (response.unknown ?? flag.none)
          : failureOf(operation, response, input)
        if (problem) fail(String(problem))
        else if (!values.json && !flag)
          printCount(operation, response, older, text.startsWith('call ') ? 'last=' : '--last ')
      }
      const onRefusal = (error: Parameters<typeof printRefusal>[0]) =>
        printRefusal(error, given, values.url)
      await withSandbox({ ...values, worksAlone: operation.worksAlone }, read, onRefusal)
    },
  })
}

/** Calls the sandbox. Of a list, the newest rows are asked for, with how many are older. */
async function call(operation: ControlOperation, { control }: Sandbox, input: Input) {
  const isList = inputsOf(operation).some(({ properties }) => properties.last && properties.after)
  if (!isList || input.timeout !== undefined) {
    return { response: await callOperation<Input>(control, operation, input), older: 0 }
  }
  const whole = { last: SHOWN, ...input, ...(operation.isPaged && { limit: PAGE_MAX }) }
  const response = await callOperation<Input>(control, operation, whole)
  const rows = rowsOf(response) ?? []
  while (response.more) {
    const asked = { ...whole, after: response.cursor }
    const { more, cursor, ...page } = await callOperation<Input>(control, operation, asked)
    for (const row of rowsOf({ ...page, cursor }) ?? []) rows.push(row)
    Object.assign(response, { more, cursor })
  }
  const total = Number(response.total)
  return { response, older: total - rows.length }
}

/** Says of a list if it is empty, or how many rows are older. */
function printCount(operation: ControlOperation, response: Input, older: number, last: string) {
  const more = `and ${older} older; ${last}${response.total} shows all of them`
  const isEmpty = rowsOf(response)?.length === 0
  if (isEmpty || older > 0)
    printText(isEmpty ? `no ${nounOf(operation, response)}` : more, process.stderr)
}

/** What the rows of a list are, such as `users`. */
function nounOf({ as }: ControlOperation, response: Input): string {
  const list = Object.keys(response).find((name) => Array.isArray(response[name])) ?? 'items'
  const noun = list === 'items' ? as.replace(/\..*/, '') : list
  const words = noun.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`)
  return words.replace('kyb', 'KYB')
}

/** Why an accepted call did not do what it was made for. */
function failureOf({ failure }: ControlOperation, response: Input, { timeout }: Input) {
  const { matched, nearest = '', unknown } = response
  if (matched === false && timeout !== undefined) {
    const unit = /^\d+$/.test(String(timeout)) ? ' ms' : ''
    return `Nothing matched within ${timeout}${unit}. ${nearest}`.trim()
  }
  return (unknown as string | undefined) ?? failure?.(response as never)
}

/** Help text: the summary, the values that words may have, and an example. */
function describePhrase(phrase: Phrase): string {
  const { summary, words, example, operation } = phrase
  const { all, asWord } = fieldsOf(phrase)
  const values = asWord.flatMap(({ name, values: known, help, schema }) => {
    const label = words.find(({ field }) => field === name)?.text
    const isShown = operation.params?.[name] && words.some(({ otherwise }) => otherwise)
    const about = isShown || schema.isNullable ? [toHelp(help)] : []
    return known.length > 0
      ? [`${label}: ${known.join(', ')}`]
      : about.map((each) => `${label}: ${each}`)
  })
  const pairs = words.some(({ isPairs }) => isPairs) && all.length > 0 && all.length < SHOWN
  const isOpen = inputsOf(operation).some(
    ({ additionalProperties: more }) => more === true || isMap(more),
  )
  const label = words.find(({ isPairs }) => isPairs)?.text.split('=')[0]
  // A field that is an object with one field stands for that.
  const isAlone = (own?: string) => all.filter(({ path }) => path[0] === own).length === 1
  const names = all.map(({ name, path: [own] }) => (isAlone(own) ? own : name))
  const others = isOpen ? ', and others; @FILE reads them from a JSON file' : ''
  const fields = pairs ? `${label}: ${names.join(', ')}${others}` : ''
  const sample = example && `ramp-sandbox ${example}`
  return [summary, ...values, fields, sample].filter(Boolean).join('\n\n')
}

const WAIT = {
  wait: { ...LENGTH, help: 'how long to wait for a sandbox to respond, such as 30s' },
}

const NEW_ONLY = '; waits for new ones only, unless --after 0 includes earlier ones'

function optionsOf(phrase: Phrase): OptionSpecs & typeof REMOTE_OPTIONS {
  const { operation, flags, summary } = phrase
  const fields = fieldsOf(phrase).asOption
  const own = fields.map((field) => {
    const help = operation.sendsWith?.[field.name] ? `${field.help}${NEW_ONLY}` : field.help
    return [field.option, { ...field, help }]
  })
  const shown = Object.entries(operation.flags ?? {}).map(([name, { help }]) => [name, { help }])
  return {
    ...Object.fromEntries(flags.map((flag) => [flag.slice(2), { help: summary }])),
    ...Object.fromEntries(own),
    ...Object.fromEntries(shown),
    ...(operation.as === 'health' && WAIT),
    ...REMOTE_OPTIONS,
  }
}
