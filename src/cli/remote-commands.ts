// The commands about a sandbox that runs, loaded as one: they share nearly all of it.
import { PHRASES } from './levers/words.ts'

export { createLeverCommand, helpOf } from './levers/command.ts'
export { listen } from './listen.ts'
export { logs } from './logs.ts'
export { settings } from './settings.ts'

/** First words of commands that help does not list. */
export const formerWords = (): string[] => PHRASES.map(({ text }) => text.split(' ')[0] ?? '')
