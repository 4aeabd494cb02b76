import type { ControlOperation } from '../../control-api/index.ts'
import { CONTROL_OPERATIONS } from '../../control-api/index.ts'
import type { Phrase as PhraseWords } from '../../control-api/row.ts'
import { suggest } from '../../world/nearest.ts'
import { invalid } from '../option-values.ts'

/** One way to call a control operation: literal words, and capital ones that stand for its fields. */
export interface Phrase {
  operation: ControlOperation
  /** Phrase as help shows it: `user kyc USER STATUS`. */
  text: string
  /** Its literal words: `user kyc`. */
  name: string
  words: readonly Word[]
  /** Fields that the phrase always sends. */
  sends: object
  summary: string
  example?: string | undefined
}

export interface Word {
  text: string
  /** Name of the field that it stands for; a literal word has none. */
  field: string | undefined
  isOptional: boolean
  isMany: boolean
}

export const PHRASES: readonly Phrase[] = CONTROL_OPERATIONS.flatMap((operation) => {
  const { words, also = [], summary, example } = operation
  const own = words && { operation, summary, example, sends: {}, ...readPhrase(words) }
  return [
    ...(own ? [own] : []),
    ...also.map(({ words: phrase, ...special }) => ({
      operation,
      ...readPhrase(phrase),
      ...special,
    })),
  ]
})

function readPhrase(phrase: PhraseWords) {
  const words = phrase.map(toWord)
  const literals = words.filter(({ field }) => field === undefined)
  const name = literals.map((word) => word.text).join(' ')
  return { text: words.map(formatWord).join(' '), name, words }
}

function toWord(word: PhraseWords[number]): Word {
  if (typeof word === 'string') {
    return { text: word, field: undefined, isOptional: false, isMany: false }
  }
  const { field, label = field.toUpperCase(), isOptional = false, isMany = false } = word
  return { text: label, field, isOptional, isMany }
}

function formatWord({ text, isOptional, isMany }: Word): string {
  const label = isMany ? `${text}…` : text
  return isOptional ? `[${label}]` : label
}

/** Phrases that begin with these words. */
export const phrasesAfter = (typed: readonly string[]): Phrase[] =>
  PHRASES.filter(({ words }) => typed.every((text, at) => isFor(words[at], text)))

const isFor = (word: Word | undefined, text: string | undefined) =>
  word !== undefined && (word.field !== undefined || word.text === text)

/** Finds the phrase with the most literal words among those that match. */
export function findPhrase(typed: readonly string[]): Phrase {
  const count = ({ name }: Phrase) => name.split(' ').length
  const meant = PHRASES.filter(({ words }) => words.every((word, at) => isFor(word, typed[at])))
  meant.sort((a, b) => count(b) - count(a))
  const found =
    meant.find((phrase) => problemOf(phrase, typed) === undefined) ??
    meant.find((phrase) => count(phrase) > 1)
  if (found === undefined) throw wrongWord(typed)
  return found
}

/** Error for the first word that fits no phrase, or for a missing one. */
function wrongWord(typed: readonly string[]) {
  const known = typed.findLastIndex((_, at) => phrasesAfter(typed.slice(0, at + 1)).length > 0) + 1
  const next = phrasesAfter(typed.slice(0, known)).map(({ words }) => words[known])
  const choices = [...new Set(next.flatMap((word) => (word && !word.field ? [word.text] : [])))]
  const [first = ''] = typed
  const wrong = typed[known]
  const problem =
    wrong === undefined
      ? `${typed.join(' ')} needs another word: ${choices.join(' or ')}.`
      : `${first} does not take ${wrong}${suggest(wrong, choices)}`
  return invalid(first, problem, `ramp-sandbox help ${first} shows what it takes.`)
}

export function assertComplete(phrase: Phrase, typed: readonly string[]): void {
  const { name } = phrase
  const problem = problemOf(phrase, typed)
  if (problem) throw invalid(name, problem, `ramp-sandbox help ${name} shows what it takes.`)
}

/** Says if words are missing or too many. */
function problemOf({ name, text, words }: Phrase, typed: readonly string[]): string | undefined {
  const list = (some: readonly Word[], between: string) =>
    some.map((word) => word.text).join(between)
  const missing = words.slice(typed.length).filter(({ isOptional }) => !isOptional)
  if (missing.length > 0) return `${name} needs ${list(missing, ' and ')}: ${text}.`
  if (typed.length <= words.length || words.at(-1)?.isMany) return undefined
  const fields = words.filter(({ field }) => field !== undefined)
  const more = typed.slice(words.length).join(' ')
  return `${name} takes ${list(fields, ' ') || 'no words'}; ${more} is too many.`
}
