import { type Command, type CommandTable, createCommand } from './command.ts'
import { toCommand } from './control/command.ts'
import { phrasesAfter } from './control/words.ts'
import { printJson, printText } from './terminal.ts'

/** Prints the table of commands as data, for programs. */
export function createCommands({ groups, load }: CommandTable): Command {
  return createCommand({
    usage: 'commands [options]',
    about: 'list every command; --json adds usage, options and exit codes',
    options: { json: { short: 'j', help: 'print all details as JSON' } },
    async act({ values }) {
      const rows = Object.entries(groups).flatMap(([group, commands]) =>
        Object.entries(commands).map(([name, summary]) => ({ name, group, summary })),
      )
      if (!values.json) return printText(rows.map(({ name }) => name).join('\n'))
      const commands = rows.map(async ({ name, ...row }) => {
        const phrases = name === 'call' ? [] : phrasesAfter([name])
        if (phrases.length === 0) return [{ name, ...row, ...describe(await load(name)) }]
        return phrases.map((phrase) => {
          const { name, summary, example = null } = phrase
          return { ...row, name, summary, example, ...describe(toCommand(phrase)) }
        })
      })
      printJson({ version: __VERSION__, commands: (await Promise.all(commands)).flat() })
    },
  })
}

function describe({ usage, about, options, exits }: Command) {
  return {
    usage: `ramp-sandbox ${usage}`,
    about,
    options: Object.entries(options).map(([name, option]) => ({ ...option, name: `--${name}` })),
    exitCodes: exits,
  }
}
