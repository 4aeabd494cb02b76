import type { SandboxError } from '../../client/error.ts'
import { printText } from '../terminal.ts'
import { PHRASES, type Phrase } from './words.ts'

interface Typed {
  phrase: Phrase
  /** What a field was called on the command line: `STATUS` or `--after`. */
  labels: Readonly<Record<string, string>>
  typed: Readonly<Record<string, unknown>>
}

/** Says why a call was refused in the words that were typed, and what would work. */
export function printTypedRefusal(error: SandboxError, given: Typed): void {
  const { problems, message, hint } = error
  const [title = message] = message.split(hint ?? '\u0000')
  const said = problems.length > 0 ? problems : [{ field: '', message: title }]
  for (const problem of said) {
    printText(`ramp-sandbox: ${toWords(problem, given)}`, process.stderr)
  }
  const help = nextStep(error, given) ?? (hint && inCommands(hint))
  if (help) printText(`  ${help}`, process.stderr)
}

function toWords({ field, message }: { field: string; message: string }, given: Typed): string {
  const { labels, typed, phrase } = given
  const escaped = field.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const wrong = new RegExp(`^${escaped} must be (.+?)(?:, not .*)?\\.$`, 's').exec(message)
  if (wrong && typed[field] !== undefined) return `${typed[field]} is not ${wrong[1]}.`
  const word = phrase.words.find((each) => each.kind === 'field' && each.field === field)
  const label = labels[field] ?? (word?.kind === 'field' ? word.label : undefined)
  return inCommands(label ? message.replace(new RegExp(`^${escaped}(?![\\w.])`), label) : message)
}

/** What makes the call possible, where one command does. */
function nextStep({ code, problems }: SandboxError, { typed }: Typed): string | undefined {
  const user = typed.user ?? typed.email
  const isUser = problems.length === 0 || problems.some(({ field }) => field === 'user')
  if (user === undefined) return undefined
  if (code === 'not-found' && isUser) {
    return String(user).includes('@')
      ? `ramp-sandbox user add ${user} --verified creates this user.`
      : 'ramp-sandbox user list shows the users.'
  }
  if (code === 'not-verified') return `ramp-sandbox user kyc ${user} verified makes it possible.`
  return undefined
}

/** A sentence with commands for the calls of the control API that it names. */
function inCommands(sentence: string): string {
  return sentence.replace(
    /\b(GET|POST|PUT|PATCH|DELETE) (\/_sandbox\/[\w/:{}.@-]+)/g,
    (call, method, path) => {
      const found = PHRASES.find(({ lever, isHidden }) => {
        const form = new RegExp(`^${lever.path.replace(/:\w+/g, '[^/]+')}$`)
        return !isHidden && lever.method === method && form.test(path)
      })
      return found ? `ramp-sandbox ${found.text}` : call
    },
  )
}
