import { DomainError } from '../world/domain-error.ts'
import { suggest } from '../world/nearest.ts'
import { type Command, type CommandEntry, formatRows, printProblems } from './command.ts'
import { invalid } from './option-values.ts'

/** A row of the table for each command of a file; it is loaded when one of them is called. */
const rowsOf =
  <File extends Record<keyof File, Command>>(load: () => Promise<File>) =>
  (name: keyof File, about: string): CommandEntry => ({
    about,
    load: async () => (await load())[name],
  })
const sandbox = rowsOf(() => import('./sandbox-commands.ts'))
const agreement = rowsOf(() => import('./agreement-commands.ts'))
const loadRemote = () => import('./remote-commands.ts')
const remote = rowsOf(async () => (await loadRemote()).remoteCommands)

/** A command that comes from the rows of the control API. */
const lever = (word: string, about: string): [string, CommandEntry] => [
  word,
  { about, load: async () => (await loadRemote()).createLeverCommand(word) },
]

/** By what people do. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, CommandEntry>>>> = {
  Run: {
    start: sandbox('start', 'start a sandbox and keep it running'),
    exec: sandbox('exec', 'run a command with a sandbox of its own'),
    listen: remote('listen', 'send webhooks to your app for a while, and show each one'),
    mcp: {
      about: 'let a coding agent control a sandbox, over stdin and stdout',
      load: async () => (await import('./mcp.ts')).mcp,
    },
  },
  'Make things happen': {
    ...Object.fromEntries([
      lever('user', 'add, kyc, access, account: create users, decide about them'),
      lever('buy', 'buy for a user: a quote and its transaction in one step'),
      lever('sell', 'sell for a user, in one step'),
      lever('tx', 'ID funds-received, settled, bank-refused, expired or cancelled'),
      lever('clock', 'advance, next, freeze, resume: move world time'),
      lever('fault', 'add, list, clear: make the next calls or webhooks fail'),
    ]),
    settings: remote('settings', 'show and change what the contract leaves open'),
    ...Object.fromEntries([
      lever('webhook', 'set, test, resend, secret: where events go'),
      lever('snapshot', 'take, restore, list: go back to an earlier state'),
      lever('reset', 'go back to the state after the start'),
      lever('chain', 'status, balances, send, scan: the chain behind a sandbox'),
    ]),
  },
  'See what happened': {
    logs: remote('logs', 'show calls, webhooks and messages; --follow shows the next ones'),
    ...Object.fromEntries([
      lever('explain', 'say why the last call was refused, or what one call caused'),
      lever('inbox', 'read what was sent to users'),
      lever('events', 'read events, or wait for the next one'),
      lever('deliveries', 'list webhooks: where each went, and the response'),
    ]),
  },
  'Scenarios, provider': {
    play: agreement('play', 'list and play scenarios'),
    explore: agreement('explore', 'find what breaks a receiver of webhooks'),
    calibrate: agreement('calibrate', 'find the settings that match a real provider'),
    record: agreement('record', 'record calls to a provider, with every secret replaced'),
    replay: agreement('replay', 'drive a sandbox with a recording, and compare every response'),
    save: agreement('save', 'save what happened as a scenario, or the world as a fixture'),
  },
}

/** Commands that only `help --all` lists. */
const OTHERS: Readonly<Record<string, CommandEntry>> = {
  ...Object.fromEntries([
    lever('health', 'check whether a sandbox responds'),
    lever('info', 'show what a world is: URLs, API keys, clock, counts'),
  ]),
  fixtures: sandbox('fixtures', 'list the starting worlds that come with it'),
  openapi: {
    about: 'print the OpenAPI document of the contract, or of the control API',
    load: async () => (await import('./openapi.ts')).openapi,
  },
  completion: {
    about: 'print what completes commands, options and values in bash, zsh or fish',
    load: async () => (await import('./completion.ts')).completion,
  },
  complete: {
    about: 'print what may follow on a command line, for the scripts of completion',
    load: async () => (await import('./completion.ts')).createComplete(COMMANDS),
  },
  commands: {
    about: 'list every command for programs, with options and exit codes',
    load: async () => (await import('./commands.ts')).createCommands({ ...GROUPS, Others: OTHERS }),
  },
  assumptions: remote('settings', 'the former name of settings'),
}
const COMMANDS: Readonly<Record<string, CommandEntry>> = Object.assign(
  {},
  ...Object.values(GROUPS),
  OTHERS,
)

const HELP_WORDS = ['help', '--help', '-h']
const VERSION_WORDS = ['--version', '-v']
/** The exit code of a call that asked for something that is not there or not possible. */
const MISUSED = 2

export async function main(args: readonly string[]): Promise<number> {
  try {
    return await runCommand(args)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    printProblems(error)
    return MISUSED
  }
}

async function runCommand([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined) {
    process.stderr.write(formatOverview(false))
    return MISUSED
  }
  if (VERSION_WORDS.includes(name)) return say(`${__VERSION__}\n`)
  if (HELP_WORDS.includes(name)) {
    const [about = '--all', ...others] = args
    if (about.startsWith('-')) return say(formatOverview(args.includes('--all')))
    const whole = others.length > 0 ? (await loadRemote()).helpOf([about, ...others]) : undefined
    return say(whole ?? (await find(about)).help())
  }
  const command = await find(name)
  const end = args.indexOf('--')
  const own = end === -1 ? args : args.slice(0, end)
  if (own.some((arg) => HELP_WORDS.slice(1).includes(arg))) {
    const words = own.filter((arg) => !arg.startsWith('-'))
    const whole = words.length > 0 ? (await loadRemote()).helpOf([name, ...words]) : undefined
    return say(whole ?? command.help())
  }
  await command.run(args)
  return Number(process.exitCode ?? 0)
}

function say(text: string): number {
  process.stdout.write(text)
  return 0
}

async function find(name: string): Promise<Command> {
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (entry) return entry.load()
  const { createLeverCommand, formerWords } = await loadRemote()
  if (formerWords().includes(name)) return createLeverCommand(name)
  const hint = 'ramp-sandbox --help lists the commands.'
  const names = [...Object.keys(COMMANDS), ...formerWords(), 'help']
  throw invalid('command', `There is no command ${name}${suggest(name, names)}`, hint)
}

function formatOverview(isWhole = false): string {
  const groups = Object.entries(isWhole ? { ...GROUPS, Others: OTHERS } : GROUPS)
  const names = groups.flatMap(([, commands]) => Object.keys(commands))
  const width = Math.max(...names.map((name) => name.length))
  const texts = groups.map(([title, commands]) => {
    const rows = Object.entries(commands).map(([name, { about }]): [string, string] => [
      name.padEnd(width),
      about,
    ])
    return `${title}\n${formatRows(rows)}`
  })
  return `ramp-sandbox ${__VERSION__}: a local sandbox of a stablecoin ramp platform

Usage: ramp-sandbox COMMAND [options]

${texts.join('\n')}
ramp-sandbox help COMMAND shows the options of a command, help --all the other commands.
`
}
