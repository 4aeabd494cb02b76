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
const remote = rowsOf(() => import('./remote-commands.ts'))
const agreement = rowsOf(() => import('./agreement-commands.ts'))

/** By what people do. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, CommandEntry>>>> = {
  'Run a sandbox': {
    start: sandbox('start', 'start a sandbox and keep it running'),
    exec: sandbox('exec', 'run a command with a sandbox of its own'),
    listen: sandbox('listen', 'send webhooks to your app for a while, and show each one'),
    mcp: {
      about: 'let a coding agent control a sandbox, over stdin and stdout',
      load: async () => (await import('./mcp.ts')).mcp,
    },
  },
  'Make things happen': {
    kyc: remote('kyc', 'let a reviewer decide about a user'),
    buy: remote('buy', 'let a user buy: a quote and its transaction in one step'),
    sell: remote('sell', 'let a user sell, in one step'),
    'funds-received': remote('fundsReceived', 'let the e-transfer or the coins arrive'),
    settled: remote('settled', 'let a transaction complete'),
    'bank-refused': remote('bankRefused', 'let the bank refuse to pay a buy'),
    expired: remote('expired', 'let a transaction expire'),
    cancelled: remote('cancelled', 'let a user withdraw from a transaction'),
    chain: remote('chain', 'show the chain behind a sandbox and its balances, send coins'),
    clock: remote('clock', 'read, advance, freeze or resume the clock of a running one'),
    reset: remote('reset', 'go back to the state after the start'),
  },
  'See what happened': {
    health: remote('health', 'say whether a sandbox answers'),
    inbox: remote('inbox', 'read what was sent to a user'),
    events: remote('events', 'read or await what happened'),
    deliveries: remote('deliveries', 'read which webhooks were sent'),
    drain: remote('drain', 'wait until no webhook is on its way'),
  },
  'Play scenarios, compare with a provider': {
    play: agreement('play', 'list and play scenarios'),
    record: agreement('record', 'record calls to a provider, with every secret replaced'),
    save: agreement('save', 'save what happened as a scenario, or the world as a fixture'),
    replay: agreement('replay', 'drive a sandbox with a recording, and compare every answer'),
    calibrate: agreement(
      'calibrate',
      'find the settings with which it answers as a real provider does',
    ),
  },
  'Look things up': {
    fixtures: sandbox('fixtures', 'list the starting worlds that come with it'),
    assumptions: sandbox(
      'assumptions',
      'list every number and choice that the contract states or leaves open',
    ),
    openapi: {
      about: 'print the OpenAPI document of the contract, or of the control API',
      load: async () => (await import('./openapi.ts')).openapi,
    },
    completion: {
      about: 'print what completes commands and options in bash, zsh or fish',
      load: async () => (await import('./completion.ts')).createCompletion(COMMANDS),
    },
    commands: {
      about: 'list every command for programs, with options and exit codes',
      load: async () => (await import('./commands.ts')).createCommands(GROUPS),
    },
  },
}
const COMMANDS: Readonly<Record<string, CommandEntry>> = Object.assign({}, ...Object.values(GROUPS))

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
    process.stderr.write(formatOverview())
    return MISUSED
  }
  if (VERSION_WORDS.includes(name)) return say(`${__VERSION__}\n`)
  if (HELP_WORDS.includes(name)) {
    const [about] = args
    return say(about === undefined ? formatOverview() : (await find(about)).help())
  }
  const command = await find(name)
  const end = args.indexOf('--')
  const own = end === -1 ? args : args.slice(0, end)
  if (own.some((arg) => HELP_WORDS.slice(1).includes(arg))) return say(command.help())
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
  const hint = 'ramp-sandbox --help lists the commands.'
  const message = `There is no command ${name}${suggest(name, Object.keys(COMMANDS))}`
  throw invalid('command', message, hint)
}

function formatOverview(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length))
  const groups = Object.entries(GROUPS).map(([title, commands]) => {
    const rows = Object.entries(commands).map(([name, { about }]): [string, string] => [
      name.padEnd(width),
      about,
    ])
    return `${title}\n${formatRows(rows)}`
  })
  return `ramp-sandbox ${__VERSION__}: a local sandbox of a stablecoin ramp platform

Usage: ramp-sandbox COMMAND [options]

${groups.join('\n')}
ramp-sandbox help COMMAND shows the options of a command.
`
}
