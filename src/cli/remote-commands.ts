// The commands about a sandbox that runs, loaded as one: they share nearly all of it.

import { PHRASES } from './levers/words.ts'
import { listen } from './listen.ts'
import { logs } from './logs.ts'
import { settings } from './settings.ts'

export { createLeverCommand, helpOf } from './levers/command.ts'

export const remoteCommands = { listen, logs, settings }

/** First words of commands that help does not list. */
export const formerWords = (): string[] => PHRASES.map(({ text }) => text.split(' ')[0] ?? '')
