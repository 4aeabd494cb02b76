import { connectSandbox } from '../client/connect.ts'
import { listFixtures } from '../fixture/load.ts'
import { ownCommand } from '../package-folder.ts'
import { allScenarios } from '../scenario/play.ts'
import { SETTING_IDS, settingOf } from '../world/settings/index.ts'
import {
  type Command,
  type CommandTable,
  createCommand,
  type OptionSpecs,
  wordsIn,
} from './command.ts'
import { toCommand } from './levers/command.ts'
import { fieldsOf } from './levers/fields.ts'
import { type Phrase, phrasesAfter } from './levers/words.ts'
import { invalid } from './option-values.ts'
import { toPlace } from './remote.ts'
import { printJson, printText } from './terminal.ts'

export const completion = createCommand({
  usage: 'completion bash|zsh|fish',
  about:
    'Prints a script that completes commands, options and values. It also works in a clone.\n\n' +
    'bash: source <(ramp-sandbox completion bash)\n\nzsh: source <(ramp-sandbox completion zsh)\n\n' +
    'fish: ramp-sandbox completion fish | source',
  words: true,
  options: { json: { short: 'j', help: 'print the script as a field of JSON' } },
  act({ words, values }) {
    const [shell = ''] = words
    const write = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined
    if (write === undefined || words.length > 1) {
      const given = words.length > 0 ? `, not ${words.join(' ')}` : ''
      throw invalid(
        'completion',
        `completion needs the name of a shell: bash, zsh or fish${given}.`,
      )
    }
    const quoted = ownCommand().map((part) => `'${part.replaceAll("'", `'\\''`)}'`)
    const script = write(quoted.join(' '))
    process.stdout.write(values.json ? `${JSON.stringify({ shell, script })}\n` : script)
  },
})

/** Scripts that complete in each shell, with the program as it is called. */
const SCRIPTS: Readonly<Record<string, (run: string) => string>> = {
  bash: (run) => `_ramp_sandbox() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(${run} complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
command -v ramp-sandbox >/dev/null || ramp-sandbox() { ${run} "$@"; }
complete -o default -F _ramp_sandbox ramp-sandbox
_ramp_sandbox_npx() {
  [ "\${COMP_WORDS[1]}" = ramp-sandbox ] || return
  COMP_WORDS=("\${COMP_WORDS[@]:1}")
  COMP_CWORD=$((COMP_CWORD - 1))
  _ramp_sandbox
}
complete -p npx >/dev/null 2>&1 || complete -o default -F _ramp_sandbox_npx npx
`,
  zsh: (run) => `#compdef ramp-sandbox
_ramp_sandbox() {
  local -a found
  found=("\${(@f)$(${run} complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a found || _files
}
command -v ramp-sandbox >/dev/null || ramp-sandbox() { ${run} "$@"; }
compdef _ramp_sandbox ramp-sandbox
_ramp_sandbox_npx() {
  [[ "\${words[2]}" == ramp-sandbox ]] || { _files; return }
  words=("\${(@)words[2,-1]}")
  (( CURRENT-- ))
  _ramp_sandbox
}
(( \${+_comps[npx]} )) || compdef _ramp_sandbox_npx npx
`,
  fish: (
    run,
  ) => `complete -c ramp-sandbox -f -a '(${run.replaceAll("'", '')} complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
complete -c npx -n '__fish_seen_subcommand_from ramp-sandbox' -f -a '(${run.replaceAll("'", '')} complete -- (commandline -opc)[3..] (commandline -ct) 2>/dev/null)'
type -q ramp-sandbox; or function ramp-sandbox; ${run} $argv; end
`,
}

/** Prints what may follow, a line for each: commands, options and values. */
export function createComplete(table: CommandTable): Command {
  return createCommand({
    usage: 'complete -- WORD…',
    about: 'Prints the completions of the last word of a command line.',
    options: { json: { short: 'j', help: 'print them as a JSON list' } },
    async act({ rest, values }) {
      const found = await findCandidates(rest, table)
      const start = rest.at(-1) ?? ''
      const all = [...new Set(found)].filter((each) => each.startsWith(start))
      if (values.json) printJson(all)
      else printText(all.join('\n'))
    },
  })
}

async function findCandidates(
  typed: readonly string[],
  { groups, load }: CommandTable,
): Promise<readonly string[]> {
  const [name = '', ...args] = typed
  const names = Object.values(groups).flatMap((group) => Object.keys(group))
  if (typed.length <= 1) return [...names, 'help']
  if (name === 'help') return names
  const [before = '', last = ''] = ['', ...args].slice(-2)
  const command = await load(name)
  const words = [name, ...wordsIn(args.slice(0, -1), command.options)]
  const phrases = phrasesAfter(words)
  const commands = phrases.length > 0 ? phrases.map(toCommand) : [command]
  const options: OptionSpecs = Object.assign({}, ...commands.map((each) => each.options))
  const option = before.replace(/^--/, '')
  const spec = option === before ? undefined : options[option]
  if (spec?.value) return (await VALUES[option]?.()) ?? spec.values ?? []
  if (last.startsWith('-')) return Object.keys(options).map((each) => `--${each}`)
  if (name === 'settings') return [...SETTING_IDS, ...settingValues()]
  if (name === 'play') return allScenarios().map((scenario) => scenario.name)
  return phrases.flatMap((phrase) => valuesOfWord(phrase, words.length))
}

/** The literal word at a place of a phrase, or the values of the field that is there. */
function valuesOfWord(phrase: Phrase, at: number): readonly string[] {
  const { text, field } = phrase.words[at] ?? {}
  if (field === undefined) return text === undefined ? [] : [text]
  return fieldsOf(phrase).asWord.find(({ name }) => name === field)?.values ?? []
}

/** Values of options that only this installation, or a sandbox that runs, can know. */
const VALUES: Readonly<Record<string, () => readonly string[] | Promise<readonly string[]>>> = {
  fixture: () => listFixtures().map(({ name }) => name),
  clock: () => ['running', 'frozen'],
  set: settingValues,
  url: listWorlds,
}

function settingValues(): string[] {
  return SETTING_IDS.flatMap((id) => {
    const { options } = settingOf(id)
    return typeof options === 'string' ? [`${id}=`] : options.map((option) => `${id}=${option}`)
  })
}

/** The base URLs of the sandbox that runs, if one does. */
async function listWorlds(): Promise<string[]> {
  const { url, controlToken } = toPlace({})
  const worlds = connectSandbox(url, { controlToken }).worlds.list()
  return (await worlds.catch(() => [])).map(({ baseUrl }) => baseUrl)
}

/** Prints the table of commands as data, for programs. */
export function createCommands({ groups, load }: CommandTable): Command {
  return createCommand({
    usage: 'commands [options]',
    about: 'Lists every command with its words, options and exit codes.',
    options: { json: { short: 'j', help: 'print all details as JSON' } },
    async act({ values }) {
      const rows = Object.entries(groups).flatMap(([group, commands]) =>
        Object.entries(commands).map(([name, summary]) => ({ name, group, summary })),
      )
      if (!values.json) return printText(rows.map(({ name }) => name).join('\n'))
      const commands = rows.map(async ({ name, ...row }) => {
        const phrases = phrasesAfter([name]).filter(({ isHidden }) => !isHidden)
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
