import { connectSandbox } from '../client/connect.ts'
import type { ControlCall, ControlMethod } from '../client/control.ts'
import { SandboxError } from '../client/error.ts'
import { DomainError } from '../world/domain-error.ts'
import {
  type Command,
  createCommand,
  type OptionSpecs,
  REMOTE_OPTIONS,
  toPlace,
  type Values,
} from './command.ts'
import { invalid } from './option-values.ts'

/** Of the commands that can wait for something. */
export const WAIT_OPTIONS = {
  after: { value: 'CURSOR', help: 'only what came after it, from an earlier answer' },
  timeout: { value: 'LENGTH', help: 'how long to wait; ends with 1 when nothing comes' },
} as const

export interface RemoteCall extends ControlCall {
  method: ControlMethod
  /** Below `/_sandbox`. */
  path: string
}

export const post = (path: string, body: object = {}): RemoteCall => ({
  method: 'POST',
  path,
  body,
})

export interface RemoteSpec<Specs extends OptionSpecs, Answer> {
  name: string
  about: string
  /** What must follow the name, such as `EMAIL`; those in brackets need not. */
  words?: readonly string[]
  options?: Specs
  call(given: { words: string[]; values: Values<Specs> }): RemoteCall
  /** The answer for people. */
  format(answer: Answer, values: Values<Specs>): string
  /** Why the answer is not what was hoped for; the command then ends with 1. */
  complain?(answer: Answer, values: Values<Specs>): string | undefined
}

/** A command that is one call to the control API of a sandbox that runs. */
export function createRemote<const Specs extends OptionSpecs, Answer>(
  spec: RemoteSpec<Specs, Answer>,
): Command {
  const { name, about, words: expected = [] } = spec
  const own = (spec.options ?? {}) as Specs
  const options: OptionSpecs = { ...own, ...REMOTE_OPTIONS }
  return createCommand({
    usage: [name, ...expected, '[options]'].join(' '),
    about,
    words: true,
    options,
    exits: { 1: 'The sandbox refused the call, or what was waited for did not come.' },
    async act({ values: all, words }) {
      assertWords(name, expected, words)
      const values = all as Values<Specs> & Values<typeof REMOTE_OPTIONS>
      const answer = await send<Answer>(spec.call({ words, values }), values)
      if (answer === undefined) return
      const text = values.json ? JSON.stringify(answer, null, 2) : spec.format(answer, values)
      if (text !== '') process.stdout.write(`${text}\n`)
      complain(spec.complain?.(answer, values))
    },
  })
}

function assertWords(name: string, expected: readonly string[], words: readonly string[]) {
  const needed = expected.filter((word) => !word.startsWith('['))
  if (words.length >= needed.length && words.length <= expected.length) return
  const takes = expected.length === 0 ? 'no arguments' : expected.join(' ')
  const actual = words.length === 0 ? 'none was given' : `not ${words.join(' ')}`
  const hint = `ramp-sandbox ${name} --help shows what it takes.`
  throw invalid(name, `${name} takes ${takes}; ${actual}.`, hint)
}

/** What the sandbox answers; nothing where that was an error, which is printed. */
async function send<Answer>(
  { method, path, ...call }: RemoteCall,
  values: Values<typeof REMOTE_OPTIONS>,
): Promise<Answer | undefined> {
  const { url, controlToken } = toPlace(values)
  try {
    return await connectSandbox(url, { controlToken }).control<Answer>(method, path, call)
  } catch (error) {
    if (error instanceof SandboxError && error.status !== undefined) return complain(error.message)
    throw toCommandError(error)
  }
}

/** What went wrong with calls to a sandbox, as an error of a command. */
export function toCommandError(error: unknown): unknown {
  if (!(error instanceof SandboxError)) return error
  const { message, status } = error
  const hint = 'ramp-sandbox start starts one; --url or RAMP_SANDBOX_URL names another.'
  return new DomainError('conflict', message, {
    field: '--url',
    ...(status === undefined ? { hint } : {}),
  })
}

/** A call without the hoped-for result ends with 1; one that cannot be made, with 2. */
function complain(complaint: string | undefined): undefined {
  if (complaint === undefined) return
  process.stderr.write(`ramp-sandbox: ${complaint}\n`)
  process.exitCode = 1
}
