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
    ...toPhrase(lever, text),
    preset,
    isHidden: true,
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

const literalsIn = ({ words }: Phrase) => words.filter(({ kind }) => kind === 'literal').length

/** The phrase that was typed: of those that fit, the one with most literal words. */
export function findPhrase(typed: readonly string[]): Phrase {
  const [first = '', second] = typed
  const phrases = phrasesOf(first)
  const [found] = phrases
    .filter((phrase) => fits(phrase, typed))
    .sort((a, b) => literalsIn(b) - literalsIn(a))
  if (found) return found
  const near = nearestOf(phrases, typed)
  if (near !== undefined && literalsIn(near) > 1) throw wrongCount(near, typed)
  if (phrases.length === 1 && phrases[0]) throw wrongCount(phrases[0], typed)
  const subs = [...new Set(phrases.flatMap(({ words }) => words.slice(1)).flatMap(literalText))]
  const wrong = typed.slice(1).find((word) => !subs.includes(word)) ?? second ?? ''
  const hint = `ramp-sandbox help ${first} shows what it takes.`
  throw invalid(first, `${first} does not take ${wrong}${suggest(wrong, subs)}`, hint)
}

const literalText = (word: Word) => (word.kind === 'literal' ? [word.text] : [])

function fits({ words }: Phrase, typed: readonly string[]): boolean {
  const needed = words.filter((word) => word.kind === 'literal' || !word.isOptional).length
  const takesMany = words.some((word) => word.kind === 'field' && word.isMany)
  if (typed.length < needed || (typed.length > words.length && !takesMany)) return false
  return words.every((word, at) => word.kind === 'field' || word.text === typed[at])
}

/** The phrase whose literal words were typed, with too few or too many others. */
function nearestOf(phrases: readonly Phrase[], typed: readonly string[]): Phrase | undefined {
  const begun = phrases.filter(({ words }) =>
    words.every((word, at) => word.kind === 'field' || word.text === typed[at]),
  )
  return begun.sort((a, b) => literalsIn(b) - literalsIn(a))[0]
}

function wrongCount({ words }: Phrase, typed: readonly string[]) {
  const labels = words.flatMap((word) => {
    if (word.kind === 'literal') return []
    return word.isOptional ? [`[${word.label}]`] : [word.label]
  })
  const name = words.flatMap(literalText).join(' ')
  const given = typed.filter((_, at) => words[at]?.kind !== 'literal').join(' ')
  const takes = labels.length === 0 ? 'no arguments' : labels.join(' ')
  const hint = `ramp-sandbox help ${name} shows what it takes.`
  return invalid(
    name,
    `${name} takes ${takes}; ${given ? `not ${given}` : 'none was given'}.`,
    hint,
  )
}
