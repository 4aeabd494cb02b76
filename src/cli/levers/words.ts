import type { Lever } from '../../http/control/dialect.ts'
import { LEVERS } from '../../http/control/index.ts'
import { suggest } from '../../world/nearest.ts'
import { invalid } from '../option-values.ts'

/** One way to call a lever: literal words, and capital ones that stand for its fields. */
export interface Phrase {
  lever: Lever
  /** Phrase as help shows it: `user kyc USER STATUS`. */
  text: string
  words: readonly Word[]
  /** Fields that it sends besides. */
  preset: object
  isHidden: boolean
}

export type Word =
  | { kind: 'literal'; text: string }
  | { kind: 'field'; label: string; field: string; isOptional: boolean; isMany: boolean }

export const PHRASES: readonly Phrase[] = LEVERS.flatMap((lever) => [
  ...(lever.words ?? []).map((text, at) => ({ ...toPhrase(lever, text), isHidden: at > 0 })),
  ...Object.entries(lever.also ?? {}).map(([text, preset]) => ({
    ...toPhrase(lever, text),
    preset,
  })),
])

function toPhrase(lever: Lever, text: string): Phrase {
  const words = text.split(' ').map(toWord)
  const shown = text.replace(/=\w+/g, '')
  return { lever, text: shown, words, preset: {}, isHidden: false }
}

function toWord(text: string): Word {
  const isOptional = text.startsWith('[')
  const [label = '', field] = text.replace(/[[\]…]/g, '').split('=')
  if (!/^[A-Z]/.test(label)) return { kind: 'literal', text }
  return {
    kind: 'field',
    label,
    field: field ?? label.toLowerCase(),
    isOptional,
    isMany: text.includes('…'),
  }
}

/** Phrases that begin with this word. */
export const phrasesOf = (first: string): Phrase[] => phrasesAfter([first])

/** Phrases that may go on, or end, after these words. */
export const phrasesAfter = (typed: readonly string[]): Phrase[] =>
  PHRASES.filter(({ words }) => typed.every((text, at) => isFor(words[at], text)))

const isFor = (word: Word | undefined, text: string | undefined) =>
  word !== undefined && (word.kind === 'field' || word.text === text)

export const literalsIn = (words: readonly (Word | undefined)[]): string[] =>
  words.flatMap((word) => (word?.kind === 'literal' ? [word.text] : []))

/** The literal words of a phrase, such as `user kyc`. */
export const nameOf = ({ words }: Phrase) => literalsIn(words).join(' ')

/** The phrase that is meant: of those whose literal words were typed, the one with most of them. */
export function findPhrase(typed: readonly string[]): Phrase {
  const count = ({ words }: Phrase) => literalsIn(words).length
  const meant = phrasesOf(typed[0] ?? '')
    .filter(({ words }) => words.every((word, at) => isFor(word, typed[at])))
    .sort((a, b) => count(b) - count(a))
  const found =
    meant.find((phrase) => isComplete(phrase, typed)) ?? meant.find((phrase) => count(phrase) > 1)
  if (found === undefined) throw wrongWord(typed)
  return found
}

/** Whether so many words were typed as it takes. */
function isComplete({ words }: Phrase, { length }: readonly string[]): boolean {
  const needed = words.filter((word) => word.kind === 'literal' || !word.isOptional).length
  const takesMany = words.some((word) => word.kind === 'field' && word.isMany)
  return length >= needed && (length <= words.length || takesMany)
}

/** The first word that no phrase goes on with, or those that one of them needs. */
function wrongWord(typed: readonly string[]) {
  const known = typed.findLastIndex((_, at) => phrasesAfter(typed.slice(0, at + 1)).length > 0)
  const next = phrasesAfter(typed.slice(0, known + 1))
  const choices = [...new Set(next.flatMap(({ words }) => literalsIn([words[known + 1]])))]
  const [first = ''] = typed
  const wrong = typed[known + 1]
  const problem =
    wrong === undefined
      ? `${typed.join(' ')} needs another word: ${choices.join(' or ')}.`
      : `${first} does not take ${wrong}${suggest(wrong, choices)}`
  return invalid(first, problem, `ramp-sandbox help ${first} shows what it takes.`)
}

export function assertComplete(phrase: Phrase, typed: readonly string[]): void {
  if (isComplete(phrase, typed)) return
  const { words, text } = phrase
  const name = nameOf(phrase)
  const labels = (from: number) =>
    words.slice(from).flatMap((word) => (word.kind === 'field' ? [word.label] : []))
  const more = typed.slice(words.length).join(' ')
  const message = more
    ? `${name} takes ${labels(0).join(' ') || 'no words'}; ${more} is too many.`
    : `${name} needs ${labels(typed.length).join(' and ')}: ${text}.`
  throw invalid(name, message, `ramp-sandbox help ${name} shows what it takes.`)
}
