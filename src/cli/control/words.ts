import type { ControlOperation } from '../../control-api/index.ts'
import { CONTROL_OPERATIONS } from '../../control-api/index.ts'
import type { FieldWord, PairWords, Phrase as PhraseWords } from '../../control-api/row.ts'
import { suggest } from '../../world/nearest.ts'
import { toVisible, wordList } from '../../world/word-list.ts'
import { seeHelp, toHelp } from '../command.ts'
import { invalid } from '../option-values.ts'

/** Form of a command: literal words, and capital ones that stand for fields. */
export interface Phrase {
  operation: ControlOperation
  /** Phrase as help shows it: `user kyc USER STATUS`. */
  text: string
  /** Its literal words: `user kyc`. */
  name: string
  words: readonly Word[]
  /** Flags that belong to the words, such as `--failed`. */
  flags: readonly string[]
  /** Fields that the phrase always sends. */
  sends: object
  summary: string
  example?: string | undefined
}

export interface Word extends Partial<Omit<FieldWord, 'label'>> {
  text: string
  /** Set for words such as `USDC=1.38`. */
  isPairs?: boolean
}

export const PHRASES: readonly Phrase[] = CONTROL_OPERATIONS.flatMap((operation) => {
  const { words, also = [], summary, example } = operation
  const own = words && {
    operation,
    summary: toHelp(summary),
    example,
    sends: {},
    ...readPhrase(words),
  }
  return [
    ...(own ? [own] : []),
    ...also.map(({ words: phrase, ...special }) => ({
      operation,
      ...readPhrase(phrase),
      ...special,
      summary: toHelp(special.summary),
    })),
  ]
})

/** Reaches each row of the control API by its name. */
const CALLS: readonly Phrase[] = CONTROL_OPERATIONS.map((operation) => {
  const words = ['call', operation.as, { pairs: 'FIELD=VALUE', isOptional: true as const }]
  return { operation, summary: toHelp(operation.summary), sends: {}, ...readPhrase(words) }
})

function readPhrase(phrase: PhraseWords) {
  const isFlag = (word: unknown): word is string => /^--/.test(String(word))
  const words = phrase.filter((word) => !isFlag(word)).map(toWord)
  const flags = phrase.filter(isFlag)
  const literals = words.filter((word) => isLiteral(word)).map(({ text }) => text)
  const text = [...words.map(formatWord), ...flags].join(' ')
  return { text, name: [...literals, ...flags].join(' '), words, flags }
}

function toWord(word: string | FieldWord | PairWords): Word {
  if (typeof word === 'string') return { text: word }
  if ('pairs' in word) return { ...word, text: word.pairs, isPairs: true, isMany: true }
  const { label = word.field.toUpperCase(), ...rest } = word
  return { text: label, ...rest }
}

function isLiteral({ field, isPairs }: Word): boolean {
  return field === undefined && !isPairs
}

function formatWord({ text, isOptional, isMany }: Word): string {
  const label = isMany ? `${text}…` : text
  return isOptional ? `[${label}]` : label
}

/** Phrases that begin with these words. */
export const phrasesAfter = (typed: readonly string[]): Phrase[] =>
  (typed[0] === 'call' ? CALLS : PHRASES).filter(({ words }) =>
    typed.every((text, at) => fits(words[at] ?? words.find(({ isMany }) => isMany), text)),
  )

/** Returns true for a text that a word stands for; a missing text may be any. */
function fits(word: Word | undefined, text: string | undefined): boolean {
  if (word === undefined || isLiteral(word)) return word?.text === text && word !== undefined
  if (text === undefined) return true
  return word.isPairs ? isPair(text) : (word.known?.includes(text) ?? true)
}

/** Returns true for `USDC=1.38` and for `@FILE`. */
export const isPair = (text: string): boolean => /^[^=]+=|^@./.test(text)

/** Rejects words with which no phrase begins. */
export function assertPhrase(typed: readonly string[]): void {
  if (phrasesAfter(typed).length === 0) throw wrongWord(typed)
}

/** Finds the phrase that says most of what was typed. */
export function findPhrase(typed: readonly string[], args: readonly string[]): Phrase {
  const weight = ({ words, flags }: Phrase) =>
    flags.length + words.filter((word) => isLiteral(word) || word.known || word.isPairs).length
  const fitting = phrasesAfter(typed.slice(0, 1)).filter(
    ({ words, flags }) =>
      words.every((word, at) => fits(word, typed[at])) &&
      flags.every((flag) => args.includes(flag)),
  )
  const flagged = fitting.filter(({ flags }) => flags.length > 0)
  const meant = flagged.length > 0 ? flagged : fitting
  meant.sort((a, b) => weight(b) - weight(a))
  const found =
    meant.find((phrase) => problemOf(phrase, typed) === undefined) ??
    meant.find((phrase) => phrase.name.includes(' '))
  if (found === undefined) throw wrongWord(typed)
  return found
}

/** Choices that an error lists. */
const CHOICES_MAX = 20

/** Error for the first word that fits no phrase, or for a missing one. */
function wrongWord(typed: readonly string[]) {
  const known = typed.findLastIndex((_, at) => phrasesAfter(typed.slice(0, at + 1)).length > 0) + 1
  const after = phrasesAfter(typed.slice(0, known))
  const next = after.flatMap(({ words }) => words[known] ?? [])
  const [first = ''] = typed
  const wrong = typed[known]
  const possible = wrong === undefined ? next : next.filter(isLiteral)
  const choices = [...new Set(possible.map(({ text }) => text))]
  const isName = (word: string, at: number) =>
    phrasesAfter(typed.slice(0, at)).some(({ words }) => words[at]?.text === word)
  if (choices.length > CHOICES_MAX) {
    const given = wrong === undefined ? 'needs NAME' : `has no operation ${wrong}`
    const problem = `${first} ${given}${wrong ? suggest(wrong, choices) : '.'}`
    return invalid(first, problem, seeHelp(first))
  }
  const help = seeHelp(first)
  if (wrong === undefined) {
    return invalid(first, `${typed.join(' ')} needs one of: ${choices.join(', ')}.`, help)
  }
  const pair = next.find(({ isPairs }) => isPairs)
  if (pair) {
    const problem = `${typed.slice(0, known).join(' ')} takes ${pair.text}, not ${wrong}.`
    return invalid(first, problem, help)
  }
  const [before = ''] = typed.slice(known - 1)
  if (choices.includes(before)) {
    const [{ words } = { words: [] }] = after
    const right = [...typed.slice(0, known - 1), wrong, before, ...typed.slice(known + 1)]
    const problem = `${words[known - 1]?.text} comes first: ${right.join(' ')}.`
    return invalid(first, problem, help)
  }
  // Such as `worlds`, which is a command by itself.
  const isWhole = after.some(({ words }) => words.length === known)
  const texts = after.map(({ text }) => text)
  const forms = isWhole ? `; use ${wordList(texts, 'or')}.` : undefined
  const name = typed.slice(0, known).filter(isName).join(' ')
  const problem = `${name} has no command ${toVisible(wrong)}${suggest(wrong, choices, forms)}`
  return invalid(first, problem, help)
}

export function assertComplete(phrase: Phrase, typed: readonly string[]): void {
  const { name } = phrase
  const problem = problemOf(phrase, typed)
  if (problem) throw invalid(name, problem, seeHelp(name))
}

/** Says if words are missing or too many. */
function problemOf({ name, text, words }: Phrase, typed: readonly string[]): string | undefined {
  const list = (some: readonly Word[], between: string) =>
    some.map((word) => word.text).join(between)
  const missing = words.slice(typed.length).filter(({ isOptional }) => !isOptional)
  if (missing.length > 0) {
    const others = PHRASES.filter((other) => other.name.startsWith(`${name} `))
    const forms = [text, ...others.map((other) => other.text)].join(', or ')
    return `${name} needs ${list(missing, ' and ')}: ${forms}.`
  }
  if (typed.length <= words.length || words.at(-1)?.isMany) return undefined
  const fields = words.filter((word) => !isLiteral(word))
  const more = typed.slice(words.length).join(' ')
  return `${name} takes ${list(fields, ' ') || 'no arguments'}; unexpected: ${more}.`
}
