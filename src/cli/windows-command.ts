import { win32 } from 'node:path'

interface Machine {
  env: NodeJS.ProcessEnv
  isFile(path: string): boolean
}

const PATHEXT = '.COM;.EXE;.BAT;.CMD'
/** What cmd.exe gives a meaning to, also between double quotes if those are escaped. */
const META = /[()\][%!^"`<>&|;, *?]/g

/**
 * How Windows runs a command. `npm` there is `npm.cmd`, which only cmd.exe runs, and which Node
 * refuses to start without a shell.
 */
export function toWindowsCommand(command: string, args: readonly string[], machine: Machine) {
  const file = findProgram(command, machine) ?? command
  if (!/\.(cmd|bat)$/i.test(file)) return { file, args, windowsVerbatimArguments: false }
  const line = [quoteForCmd(file), ...args.map(quoteForBatch)].join(' ')
  return {
    file: variable(machine.env, 'ComSpec') ?? 'cmd.exe',
    args: ['/d', '/s', '/v:off', '/c', `"${line}"`],
    windowsVerbatimArguments: true,
  }
}

/** By PATH and PATHEXT, as cmd.exe looks for it, but never in the current folder alone. */
function findProgram(command: string, { env, isFile }: Machine): string | undefined {
  const endings = (variable(env, 'PATHEXT') ?? PATHEXT).split(';').filter(Boolean)
  const hasEnding = endings.some((end) => command.toLowerCase().endsWith(end.toLowerCase()))
  const names = hasEnding ? [command] : endings.map((end) => command + end.toLowerCase())
  const hasFolder = /[\\/:]/.test(command)
  const folders = hasFolder ? [''] : (variable(env, 'PATH') ?? '').split(';').filter(Boolean)
  const paths = folders.flatMap((folder) => {
    return names.map((name) => win32.join(folder.replace(/^"(.*)"$/, '$1'), name))
  })
  return paths.find(isFile)
}

/** Names differ in case from machine to machine, such as `Path`; only process.env itself ignores it. */
function variable(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const key = Object.keys(env).find((each) => each.toLowerCase() === name.toLowerCase())
  return key === undefined ? undefined : env[key]
}

/** As a program splits its command line: quotes, and the backslashes before them, are escaped. */
export function quoteForProgram(text: string): string {
  return `"${text.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`
}

/** As cmd.exe reads a line: nothing in it has a meaning. */
const quoteForCmd = (text: string) => text.replace(META, '^$&')

/** A batch file hands its arguments to cmd.exe once more, so they are escaped twice. */
export function quoteForBatch(text: string): string {
  return quoteForCmd(quoteForCmd(quoteForProgram(text)))
}
