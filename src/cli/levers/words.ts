import type { Lever } from '../../http/control/dialect.ts'
import { LEVERS } from '../../http/control/index.ts'
import { suggest } from '../../world/nearest.ts'
import { invalid } from '../option-values.ts'

/** One way to call a lever: literal words, and capital ones that stand for its fields. */
export interface Phrase {
  lever: Lever
  /** As help shows it: `user kyc USER STATUS`. */
  text: string
  words: readonly Word[]
  /** What it sends besides. */
  preset: object
  isHidden: boolean
}

export type Word =
  | { kind: 'literal'; text: string }
  | { kind: 'field'; label: string; field: string; isOptional: boolean; isMany: boolean }

export const PHRASES: readonly Phrase[] = LEVERS.flatMap((lever) => [
  ...(lever.words ?? []).map((text, at) => ({ ...toPhrase(lever, text), isHidden: at > 0 })),
  ...Object.entries(lever.also ?? {}).map(([text, preset]) => ({
    ...toPhrase({ ...lever, example: text }, text),
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
  const named = field ?? label.toLowerCase().replace(/-(\w)/g, (_, letter) => letter.toUpperCase())
  return { kind: 'field', label, field: named, isOptional, isMany: text.includes('…') }
}

/** Phrases that begin with this word. */
export const phrasesOf = (first: string): Phrase[] =>
  PHRASES.filter(({ words: [word] }) => word?.kind === 'literal' && word.text === first)

const literalText = (word: Word) => (word.kind === 'literal' ? [word.text] : [])
const literalsIn = ({ words }: Phrase) => words.flatMap(literalText).length

/** The literal words of a phrase, such as `user kyc`. */
export const nameOf = ({ words }: Phrase) => words.flatMap(literalText).join(' ')

/** The phrase that was typed: of those that fit, the one with most literal words. */
export function findPhrase(typed: readonly string[]): Phrase {
  const [first = ''] = typed
  const phrases = phrasesOf(first)
  const begun = phrases
    .filter(({ words }) =>
      words.every((word, at) => word.kind === 'field' || word.text === typed[at]),
    )
    .sort((a, b) => literalsIn(b) - literalsIn(a))
  const found = begun.find((phrase) => fits(phrase, typed))
  if (found) return found
  const near = phrases.length === 1 ? phrases[0] : begun[0]
  if (near && (phrases.length === 1 || literalsIn(near) > 1)) throw wrongCount(near, typed)
  const subs = [...new Set(phrases.flatMap(({ words }) => words.slice(1)).flatMap(literalText))]
  // What stands before the last literal word may be an id.
  const isPlace = (at: number) => phrases.some(({ words }) => words[at]?.kind === 'literal')
  const wrong = typed.findLast((_, at) => isPlace(at)) ?? ''
  const hint = `ramp-sandbox help ${first} shows what it takes.`
  const problem = wrong === first ? 'needs another word' : `does not take ${wrong}`
  throw invalid(first, `${first} ${problem}${suggest(wrong, subs)}`, hint)
}

/** Whether so many words were typed as it takes. */
function fits({ words }: Phrase, typed: readonly string[]): boolean {
  const needed = words.filter((word) => word.kind === 'literal' || !word.isOptional).length
  const takesMany = words.some((word) => word.kind === 'field' && word.isMany)
  return typed.length >= needed && (typed.length <= words.length || takesMany)
}

function wrongCount(phrase: Phrase, typed: readonly string[]) {
  const { words, text } = phrase
  const name = nameOf(phrase)
  const fields = words.filter((word) => word.kind === 'field')
  const missing = fields.filter((word) => !word.isOptional && words.indexOf(word) >= typed.length)
  const needed = missing.map(({ label }) => label).join(' and ')
  const also = missing.length < fields.length ? ' as well' : ''
  const takes = fields.map(({ label }) => label).join(' ') || 'no words'
  const more = typed.slice(words.length).join(' ')
  const message = needed
    ? `${name} needs ${needed}${also}: ${text}.`
    : `${name} takes ${takes}; ${more} is too many.`
  return invalid(name, message, `ramp-sandbox help ${name} shows what it takes.`)
}
