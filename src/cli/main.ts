import { DomainError } from '../world/domain-error.ts'
import { suggest } from '../world/nearest.ts'
import { toVisible } from '../world/word-list.ts'
import {
  type Command,
  type CommandTable,
  formatRows,
  printProblems,
  REFUSED,
  seeHelp,
} from './command.ts'
import { invalid } from './option-values.ts'

/** Summaries of the commands, by what people do. */
const GROUPS: CommandTable['groups'] = {
  Run: {
    start: 'start a sandbox and keep it running',
    exec: 'run a command with a sandbox of its own',
    listen: 'point webhooks at your app and print each one (Ctrl-C to stop)',
    mcp: 'let a coding agent control a sandbox, over stdin and stdout',
  },
  'Make things happen': {
    user: 'add, kyc, access, account, token: create users and change what they may do',
    buy: 'buy for a user: a quote and its transaction in one step',
    sell: 'sell for a user, in one step',
    tx: 'ID funds-received, settled, bank-refused, expired, cancelled: make something happen to a transaction',
    clock: 'advance, next, freeze, resume: move world time',
    rates: 'show the prices of coins in CAD; COIN=PRICE changes one',
    fault: 'add, list, clear: make the next calls or webhooks fail',
    settings: 'show what the contract leaves open; ID=VALUE changes it',
    webhook: 'set, test, resend, secret, explain: configure and debug webhooks',
    snapshot: 'take, restore, list: save the state and go back to it',
    reset: 'go back to the initial state',
    worlds: 'list the worlds of the sandbox; end NAME ends one',
    call: 'call any operation of the control API: call NAME FIELD=VALUE',
  },
  'See what happened': {
    logs: 'print calls, webhooks and messages; --follow prints new ones as they happen',
    explain: 'explain why a call was refused, or what happened to a webhook, event or transaction',
    inbox: 'read the messages sent to users',
    events: 'read events, or wait for the next one',
    deliveries: 'list webhooks, with the URL and response of each',
    coverage: 'list situations that are not covered yet, and how to cover them',
    health: 'check whether a sandbox responds; --wait waits for it',
  },
  'Scenarios, provider': {
    play: 'list and play scenarios',
    explore: 'find out what breaks a webhook receiver',
    compare: 'compare a provider’s responses with the sandbox’s',
    save: 'save the world as a fixture',
  },
}

/** Commands that only `help --all` lists. */
const OTHERS = {
  users: 'list users (same as user list)',
  info: 'show the URLs, API keys, clock and counts of a world',
  fixtures: 'list the built-in fixtures',
  openapi: 'print the OpenAPI document of the contract, or of the control API',
  commands: 'list every command; with --json, also options and exit codes',
}
const ALL: CommandTable = { groups: { ...GROUPS, Other: OTHERS }, load }
const NAMES = Object.values(ALL.groups).flatMap((group) => Object.keys(group))

/** Loaders of commands; all others are rows of the control API. */
const LOADERS: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import('./start.ts')).start,
  exec: async () => (await import('./exec.ts')).exec,
  listen: async () => (await import('./listen.ts')).listen,
  mcp: async () => (await import('./mcp.ts')).mcp,
  logs: async () => (await import('./logs.ts')).logs,
  play: async () => (await import('./play.ts')).play,
  explore: async () => (await import('./explore.ts')).explore,
  compare: async () => (await import('./compare.ts')).compare,
  save: async () => (await import('./save.ts')).save,
  fixtures: async () => (await import('./fixtures.ts')).fixtures,
  openapi: async () => (await import('./openapi.ts')).openapi,
  commands: async () => (await import('./commands.ts')).createCommands(ALL),
}

/** Loads a command by its words, such as `user kyc`. */
async function load(...words: readonly string[]): Promise<Command> {
  const [name = ''] = words
  const own = Object.hasOwn(LOADERS, name) ? LOADERS[name] : undefined
  return own ? await own() : (await import('./control/command.ts')).createControlCommand(words)
}

/** Exit code of a wrong command line, and where nothing responds. */
const MISUSED = 2

export async function main(args: readonly string[]): Promise<number> {
  try {
    return await runCommand(args)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    printProblems(error)
    return error.code === REFUSED ? 1 : MISUSED
  }
}

async function runCommand(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args
  if (name === undefined) {
    process.stderr.write(formatOverview(GROUPS))
    return MISUSED
  }
  if (['--version', '-v'].includes(name)) return say(`${__VERSION__}\n`)
  const end = args.indexOf('--')
  const own = end === -1 ? args : args.slice(0, end)
  const asksForHelp = own.some((arg) => ['--help', '-h'].includes(arg))
  if (asksForHelp || name === 'help') return say(await helpOf(own))
  const command = await find(name)
  return (await command.run(rest)) ?? Number(process.exitCode ?? 0)
}

function say(text: string): number {
  process.stdout.write(text)
  return 0
}

/** The help of the named command, or the list of commands. */
async function helpOf([first = '', ...more]: readonly string[]): Promise<string> {
  const args = first === 'help' ? more : [first, ...more]
  const words = args.filter((arg) => !arg.startsWith('-'))
  if (words.length > 0 && words[0] !== 'help') {
    // After `help`, every word is part of a command; beside --help, it may be a value.
    if (first === 'help') await assertCommand(words)
    return (await find(...words)).help()
  }
  return formatOverview(args.includes('--all') ? ALL.groups : GROUPS)
}

async function assertCommand([name = '', ...more]: readonly string[]): Promise<void> {
  const [word] = more
  if (word === undefined || !NAMES.includes(name)) return
  if (!Object.hasOwn(LOADERS, name)) {
    return (await import('./control/words.ts')).assertPhrase([name, ...more])
  }
  throw invalid('command', `${name} has no command ${toVisible(word)}.`, seeHelp(name))
}

async function find(...words: readonly string[]): Promise<Command> {
  const [name = ''] = words
  if (NAMES.includes(name)) return await load(...words)
  const hint = 'ramp-sandbox --help lists the commands.'
  const message = `There is no command ${toVisible(name)}${suggest(name, [...NAMES, 'help'], '.')}`
  throw invalid('command', message, hint)
}

function formatOverview(groups: CommandTable['groups']): string {
  const width = Math.max(
    ...Object.values(groups).flatMap((group) => Object.keys(group).map((name) => name.length)),
  )
  const texts = Object.entries(groups).map(([title, group]) => {
    const rows = Object.entries(group).map(([name, about]) => [name.padEnd(width), about] as const)
    return `${title}\n${formatRows(rows)}`
  })
  return `ramp-sandbox ${__VERSION__}: a local sandbox for a stablecoin ramp platform

Usage: ramp-sandbox COMMAND [options]

${texts.join('\n')}
run ramp-sandbox help COMMAND for the options of a command
run ramp-sandbox help --all to list all commands
`
}
