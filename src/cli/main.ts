import { DomainError } from '../world/domain-error.ts'
import { suggest } from '../world/nearest.ts'
import { type Command, type CommandEntry, formatRows, printProblems } from './command.ts'
import { invalid } from './option-values.ts'

const row = (about: string, load: CommandEntry['load']): CommandEntry => ({ about, load })
const sandbox = () => import('./sandbox-commands.ts')
const agreement = () => import('./agreement-commands.ts')
const moves = () => import('./moves.ts')
const trade = () => import('./trade.ts')

/** By what people do. Each command is loaded when it is called, so that none makes another start slower. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, CommandEntry>>>> = {
  'Run a sandbox': {
    start: row('start a sandbox and keep it running', async () => (await sandbox()).start),
    exec: row('run a command with a sandbox of its own', async () => (await sandbox()).exec),
    listen: row(
      'send webhooks to your app for a while, and show each one',
      async () => (await sandbox()).listen,
    ),
    mcp: row(
      'give a coding agent the levers of a sandbox, over stdin and stdout',
      async () => (await import('./mcp.ts')).mcp,
    ),
  },
  'Make things happen': {
    kyc: row('let a reviewer decide about a user', async () => (await import('./kyc.ts')).kyc),
    buy: row(
      'let a user buy: a quote and its transaction in one step',
      async () => (await trade()).buy,
    ),
    sell: row('let a user sell, in one step', async () => (await trade()).sell),
    'funds-received': row(
      'let the e-transfer or the coins arrive',
      async () => (await moves()).moves['funds-received'],
    ),
    settled: row('let a transaction complete', async () => (await moves()).moves.settled),
    'bank-refused': row(
      'let the bank refuse to pay a buy',
      async () => (await moves()).moves['bank-refused'],
    ),
    expired: row('let a transaction expire', async () => (await moves()).moves.expired),
    cancelled: row(
      'let a user withdraw from a transaction',
      async () => (await moves()).moves.cancelled,
    ),
    chain: row(
      'show the chain behind a sandbox and its balances, send coins',
      async () => (await import('./chain.ts')).chain,
    ),
    clock: row(
      'read, advance, freeze or resume the clock of a running one',
      async () => (await import('./clock.ts')).clock,
    ),
    reset: row(
      'go back to the state after the start',
      async () => (await import('./reset.ts')).reset,
    ),
  },
  'See what happened': {
    health: row('say whether a sandbox answers', async () => (await import('./health.ts')).health),
    inbox: row('read what was sent to a user', async () => (await import('./inbox.ts')).inbox),
    events: row('read or await what happened', async () => (await import('./events.ts')).events),
    deliveries: row(
      'read which webhooks were sent',
      async () => (await import('./deliveries.ts')).deliveries,
    ),
    drain: row(
      'wait until no webhook is on its way',
      async () => (await import('./drain.ts')).drain,
    ),
  },
  'Play scenarios, compare with a provider': {
    play: row('list and play scenarios', async () => (await agreement()).play),
    record: row(
      'record calls to a provider, with every secret replaced',
      async () => (await agreement()).record,
    ),
    save: row(
      'save what happened as a scenario, or the world as a fixture',
      async () => (await agreement()).save,
    ),
    replay: row(
      'drive a sandbox with a recording, and compare every answer',
      async () => (await agreement()).replay,
    ),
    calibrate: row(
      'find the settings with which it answers as a real provider does',
      async () => (await agreement()).calibrate,
    ),
  },
  'Look things up': {
    fixtures: row(
      'list the starting worlds that come with it',
      async () => (await sandbox()).fixtures,
    ),
    assumptions: row(
      'list every number and choice that the contract states or leaves open',
      async () => (await sandbox()).assumptions,
    ),
    openapi: row(
      'print the OpenAPI document of the contract, or of the control API',
      async () => (await import('./openapi.ts')).openapi,
    ),
    completion: row('print what completes commands and options in bash, zsh or fish', async () =>
      (await import('./completion.ts')).createCompletion(COMMANDS),
    ),
    commands: row('list every command for programs, with options and exit codes', async () =>
      (await import('./commands.ts')).createCommands(GROUPS),
    ),
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
