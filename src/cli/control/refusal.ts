import type { SandboxError } from '../../client/error.ts'
import { toTyped } from '../command.ts'
import { fail, SET_TOKEN } from '../remote.ts'
import { printText } from '../terminal.ts'
import type { Typed } from './input.ts'
import { PHRASES } from './words.ts'

/** Says why a call was refused in the words that were typed, and what would work. */
export function printRefusal(error: SandboxError, typed: Typed, url: string | undefined): void {
  const { problems, message, hint } = error
  const [title = message] = message.split(hint ?? '\u0000')
  for (const problem of problems.length > 0 ? problems : [{ field: '', message: title }]) {
    fail(toWords(problem, typed))
  }
  const help = nextStep(error, typed) ?? (hint && inCommands(hint))
  const at = url && help?.includes('ramp-sandbox ') ? ` Add --url ${url}.` : ''
  if (help) printText(`  ${toTyped(help)}${at}`, process.stderr)
}

type Problem = SandboxError['problems'][number]

/** Names what was typed: `by must be a length of time` becomes `--by must be …, not 1y`. */
function toWords({ field, message }: Problem, { texts, labels }: Typed): string {
  const rest = message.slice(field.length)
  const isAbout = message.startsWith(field) && /^[ :]/.test(rest)
  if (!isAbout) return inCommands(message)
  const text = textOf(field, texts)
  const [needed] = /^ must be .+?(?=(, not .*)?\.$)/s.exec(rest) ?? []
  const said = needed && text !== undefined ? `${needed}, not ${text === '' ? '""' : text}.` : rest
  return inCommands(labelOf(field, labels) + said.replace(/\bthen\.(?=\w)/, '--'))
}

/** Names what was typed for a field, or for one value inside it, such as `keep.0`. */
function labelOf(field: string, labels: Typed['labels']): string {
  const name = Object.keys(labels).find((each) => field === each || field.startsWith(`${each}.`))
  if (name === undefined) {
    // Of an object, such as `then.error`, only fields were typed.
    return Object.entries(labels).find(([each]) => each.startsWith(`${field}.`))?.[1] ?? field
  }
  const inside = field.slice(name.length + 1)
  return inside === '' || /^\d+$/.test(inside) ? `${labels[name]}` : `${labels[name]} ${inside}`
}

/** Finds what was typed for a field, or for one value of a list, such as `keep.0`. */
function textOf(field: string, texts: Typed['texts']): unknown {
  const [, list = '', at] = /^(.+)\.(\d+)$/.exec(field) ?? []
  const typed = texts[list]
  return Array.isArray(typed) ? typed[Number(at)] : texts[field]
}

const UNVERIFIED = ['not-verified', 'unverified-login']

/** A command that would make the call possible. */
function nextStep({ code, problems }: SandboxError, { texts }: Typed): string | undefined {
  if (code === 'control-token') return SET_TOKEN
  const user = texts.user ?? texts.email
  if (user === undefined) return undefined
  if (UNVERIFIED.includes(code)) return `Run ramp-sandbox user kyc ${user} verified first.`
  const isUser = problems.length === 0 || problems.some(({ field }) => field === 'user')
  if (code !== 'not-found' || !isUser) return undefined
  return String(user).includes('@')
    ? `ramp-sandbox user add ${user} --verified creates this user.`
    : 'ramp-sandbox user list shows the users.'
}

/** Replaces the calls and fields in a sentence by commands and options. */
function inCommands(text: string): string {
  const sentence = text
    .replace(/send \{ "(\w+)": true \}/g, (_, field) => `add --${field}`)
    .replace(' is not a field of this request', ' is not known')
    .replace('combined with keep: ', 'combined with --keep ')
    .replace('again without after', 'again without --after')
    .replace('or its document', 'or its path, such as ./mine.json')
    .replace('send its document', 'give its path, such as ./mine.json')
    .replace(/GET \/v2\/users\?email=…/g, 'ramp-sandbox user show EMAIL')
    .replace(/ with integrator (\S+)/g, ' --integrator $1')
  const calls = /\b(GET|POST|PUT|PATCH|DELETE) (\/_sandbox\/[\w/:{}.@-]+)/g
  return sentence.replace(calls, (call, method, path) => {
    const found = PHRASES.find(({ operation }) => {
      const form = new RegExp(`^/_sandbox${operation.path.replace(/:\w+/g, '[^/]+')}$`)
      return operation.method === method && form.test(path)
    })
    return found ? `ramp-sandbox ${found.text}` : call
  })
}
