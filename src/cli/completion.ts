import { type Command, type CommandEntry, createCommand, type OptionSpecs } from './command.ts'
import { invalid } from './option-values.ts'

interface Completed {
  name: string
  about: string
  options: OptionSpecs
}

const HELP = { help: { short: 'h', help: 'show the options' } } as const
const SHELLS = { bash: forBash, zsh: forZsh, fish: forFish }

/** Prints a script made from the table of commands, so that it knows what this version knows. */
export function createCompletion(commands: Readonly<Record<string, CommandEntry>>): Command {
  return createCommand({
    usage: 'completion bash|zsh|fish',
    about:
      'Prints a script that completes commands and options.\n' +
      'bash: source <(ramp-sandbox completion bash)    zsh: source <(ramp-sandbox completion zsh)\n' +
      'fish: ramp-sandbox completion fish | source',
    words: true,
    options: { json: { short: 'j', help: 'print the script as a field of JSON' } },
    async act({ words, values }) {
      const [shell = ''] = words
      const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell as keyof typeof SHELLS] : undefined
      if (write === undefined || words.length > 1) {
        const message = `completion takes bash, zsh or fish, not ${words.join(' ') || 'nothing'}.`
        throw invalid('completion', message)
      }
      const entries = Object.entries(commands).map(async ([name, { about, load }]) => {
        return { name, about, options: { ...(await load()).options, ...HELP } }
      })
      const script = write(await Promise.all(entries))
      process.stdout.write(values.json ? `${JSON.stringify({ shell, script })}\n` : script)
    },
  })
}

function forBash(commands: readonly Completed[]): string {
  const cases = commands.map(({ name, options }) => {
    const words = Object.entries(options).flatMap(([option, { short }]) => [
      `--${option}`,
      ...(short ? [`-${short}`] : []),
    ])
    return `    ${name}) words='${words.join(' ')}' ;;`
  })
  return `_ramp_sandbox() {
  local words='' word=\${COMP_WORDS[COMP_CWORD]}
  case \${COMP_WORDS[1]} in
${cases.join('\n')}
  esac
  [ "$COMP_CWORD" -gt 1 ] || words='${commands.map(({ name }) => name).join(' ')} help'
  case $word:$COMP_CWORD in
    -*|*:1) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    *) COMPREPLY=() ;;
  esac
}
complete -o default -F _ramp_sandbox ramp-sandbox
`
}

function forZsh(commands: readonly Completed[]): string {
  const describe = (name: string, about: string) =>
    quote(`${name.replaceAll(':', '\\:')}:${about.replaceAll(':', '\\:')}`)
  const cases = commands.map(({ name, options }) => {
    const rows = Object.entries(options).map(([option, { help }]) => describe(`--${option}`, help))
    return `    ${name}) options=(${rows.join(' ')}) ;;`
  })
  return `#compdef ramp-sandbox
_ramp_sandbox() {
  local -a commands options
  commands=(${commands.map(({ name, about }) => describe(name, about)).join(' ')})
  case \${words[2]} in
${cases.join('\n')}
  esac
  if (( CURRENT == 2 )); then _describe command commands
  elif [[ \${words[CURRENT]} == -* ]]; then _describe option options
  else _files
  fi
}
compdef _ramp_sandbox ramp-sandbox
`
}

function forFish(commands: readonly Completed[]): string {
  const lines = commands.flatMap(({ name, about, options }) => [
    `complete -c ramp-sandbox -n __fish_use_subcommand -f -a ${name} -d ${quote(about)}`,
    ...Object.entries(options).map(([option, { short, value, help }]) => {
      const flags = `${short ? ` -s ${short}` : ''} -l ${option}${value ? ' -r' : ''}`
      const where = `'__fish_seen_subcommand_from ${name}'`
      return `complete -c ramp-sandbox -n ${where}${flags} -d ${quote(help)}`
    }),
  ])
  return `${lines.join('\n')}\n`
}

/** As one word of a shell; a backslash ends fish's quotes, so none stands inside. */
const quote = (text: string) => `'${text.replaceAll("'", '’')}'`
