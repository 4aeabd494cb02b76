import { type Command, type CommandEntry, createCommand } from './command.ts'

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
      const commands = rows.map(async ({ group, name, entry }) => ({
        name,
        group,
        summary: entry.about,
        ...describe(await entry.load()),
      }))
      const all = { version: __VERSION__, commands: await Promise.all(commands) }
      process.stdout.write(`${JSON.stringify(all, null, 2)}\n`)
    },
  })
}

function describe({ usage, about, options, exits }: Command) {
  return {
    usage: `ramp-sandbox ${usage}`,
    about,
    words: wordsIn(usage),
    options: Object.entries(options).map(([name, { short, value, many = false, help }]) => ({
      name: `--${name}`,
      short: short === undefined ? null : `-${short}`,
      value: value ?? null,
      many,
      help,
    })),
    exitCodes: exits,
  }
}

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
