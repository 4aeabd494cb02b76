import { DomainError } from '../world/domain-error.ts'
import { suggest } from '../world/nearest.ts'
import { type Command, type CommandEntry, formatRows, printProblems } from './command.ts'

/** By what people do. Each command is loaded when it is called, so that none makes another start slower. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, CommandEntry>>>> = {
  'Run a sandbox': {
    start: {
      about: 'start a sandbox and keep it running',
      load: async () => (await import('./sandbox-commands.ts')).start,
    },
    exec: {
      about: 'run a command with a sandbox of its own',
      load: async () => (await import('./sandbox-commands.ts')).exec,
    },
    listen: {
      about: 'send webhooks to your app for a while, and show each one',
      load: async () => (await import('./sandbox-commands.ts')).listen,
    },
    mcp: {
      about: 'give a coding agent the levers of a sandbox, over stdin and stdout',
      load: async () => (await import('./mcp.ts')).mcp,
    },
  },
  'Make things happen': {
    kyc: {
      about: 'let a reviewer decide about a user',
      load: async () => (await import('./kyc.ts')).kyc,
    },
    buy: {
      about: 'let a user buy: a quote and its transaction in one step',
      load: async () => (await import('./trade.ts')).buy,
    },
    sell: {
      about: 'let a user sell, in one step',
      load: async () => (await import('./trade.ts')).sell,
    },
    'funds-received': {
      about: 'let the e-transfer or the coins arrive',
      load: async () => (await import('./moves.ts')).moves['funds-received'],
    },
    settled: {
      about: 'let a transaction complete',
      load: async () => (await import('./settled.ts')).settled,
    },
    'bank-refused': {
      about: 'let the bank refuse to pay a buy',
      load: async () => (await import('./moves.ts')).moves['bank-refused'],
    },
    expired: {
      about: 'let a transaction expire',
      load: async () => (await import('./moves.ts')).moves.expired,
    },
    cancelled: {
      about: 'let a user withdraw from a transaction',
      load: async () => (await import('./moves.ts')).moves.cancelled,
    },
    chain: {
      about: 'show the chain behind a sandbox and its balances, send coins',
      load: async () => (await import('./chain.ts')).chain,
    },
    clock: {
      about: 'read, advance, freeze or resume the clock of a running one',
      load: async () => (await import('./clock.ts')).clock,
    },
    reset: {
      about: 'go back to the state after the start',
      load: async () => (await import('./reset.ts')).reset,
    },
  },
  'See what happened': {
    health: {
      about: 'say whether a sandbox answers',
      load: async () => (await import('./health.ts')).health,
    },
    inbox: {
      about: 'read what was sent to a user',
      load: async () => (await import('./inbox.ts')).inbox,
    },
    events: {
      about: 'read or await what happened',
      load: async () => (await import('./events.ts')).events,
    },
    deliveries: {
      about: 'read which webhooks were sent',
      load: async () => (await import('./deliveries.ts')).deliveries,
    },
    drain: {
      about: 'wait until no webhook is on its way',
      load: async () => (await import('./drain.ts')).drain,
    },
  },
  'Play scenarios, compare with a provider': {
    play: {
      about: 'list and play scenarios',
      load: async () => (await import('./agreement-commands.ts')).play,
    },
    record: {
      about: 'record calls to a provider, with every secret replaced',
      load: async () => (await import('./agreement-commands.ts')).record,
    },
    save: {
      about: 'save what happened as a scenario, or the world as a fixture',
      load: async () => (await import('./agreement-commands.ts')).save,
    },
    replay: {
      about: 'drive a sandbox with a recording, and compare every answer',
      load: async () => (await import('./agreement-commands.ts')).replay,
    },
    calibrate: {
      about: 'find the settings with which it answers as a real provider does',
      load: async () => (await import('./agreement-commands.ts')).calibrate,
    },
  },
  'Look things up': {
    fixtures: {
      about: 'list the starting worlds that come with it',
      load: async () => (await import('./sandbox-commands.ts')).fixtures,
    },
    assumptions: {
      about: 'list every number and choice that the contract states or leaves open',
      load: async () => (await import('./sandbox-commands.ts')).assumptions,
    },
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

/** Runs a command line and returns its exit code. */
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
  throw new DomainError('invalid', 'command', message, { hint })
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
