import { type Command, type CommandEntry, createCommand, type OptionSpecs } from './command.ts'
import { optionsOf } from './levers/command.ts'
import { type Phrase, phrasesOf } from './levers/words.ts'
import { REMOTE_OPTIONS } from './remote.ts'

type Entries = Readonly<Record<string, CommandEntry>>

/** Prints the table of commands for programs: what help and completion print from it for people. */
export function createCommands(groups: Readonly<Record<string, Entries>>): Command {
  return createCommand({
    usage: 'commands [options]',
    about: 'Lists every command with its words, options and exit codes.',
    options: { json: { short: 'j', help: 'with all of it, as JSON' } },
    async act({ values }) {
      const rows = Object.entries(groups).flatMap(([group, entries]) =>
        Object.entries(entries).map(([name, entry]) => ({ group, name, entry })),
      )
      if (!values.json) {
        for (const { name } of rows) process.stdout.write(`${name}\n`)
        return
      }
      const commands = rows.map(async ({ group, name, entry }) => {
        const phrases = phrasesOf(name).filter(({ isHidden }) => !isHidden)
        if (phrases.length === 0) {
          return [{ name, group, summary: entry.about, ...describe(await entry.load()) }]
        }
        const { exits } = await entry.load()
        return phrases.map((phrase) => ({ ...describePhrase(phrase), group, exitCodes: exits }))
      })
      const all = { version: __VERSION__, commands: (await Promise.all(commands)).flat() }
      process.stdout.write(`${JSON.stringify(all, null, 2)}\n`)
    },
  })
}

/** One command of the rows of the control API, such as `user kyc`. */
function describePhrase(phrase: Phrase) {
  const { words, text, lever } = phrase
  const options = { ...optionsOf(phrase), ...REMOTE_OPTIONS }
  return {
    name: words.flatMap((word) => (word.kind === 'literal' ? [word.text] : [])).join(' '),
    usage: `ramp-sandbox ${text} [options]`,
    summary: lever.summary,
    about: lever.summary,
    example: lever.example ?? null,
    words: words.flatMap((word) =>
      word.kind === 'literal'
        ? []
        : [{ name: word.label, required: !word.isOptional, many: word.isMany }],
    ),
    options: describeOptions(options),
  }
}

function describe({ usage, about, options, exits }: Command) {
  return {
    usage: `ramp-sandbox ${usage}`,
    about,
    words: wordsIn(usage),
    options: describeOptions(options),
    exitCodes: exits,
  }
}

const describeOptions = (options: OptionSpecs) =>
  Object.entries(options).map(([name, { short, value, many = false, help }]) => ({
    name: `--${name}`,
    short: short === undefined ? null : `-${short}`,
    value: value ?? null,
    many,
    help,
  }))

/** What stands beside the options, such as `EMAIL`, `[NAME|FILE]…` or `bash|zsh|fish`. */
function wordsIn(usage: string) {
  const [, ...tokens] = usage.split(' ')
  const isOption = (token: string, before = '') =>
    /^(\[?--|\||\[options\]$)/.test(token) || /^\[?--[\w-]+$/.test(before)
  return tokens
    .filter((token, at) => !isOption(token, tokens[at - 1]))
    .map((token) => ({
      name: token.replace(/[[\]…]/g, ''),
      required: !token.startsWith('['),
      many: token.endsWith('…'),
    }))
}
