import { DomainError } from '../world/domain-error.ts'
import type { OperationDescription } from './operation-description.ts'
import { HttpError } from './status.ts'

/** Most values of a JSON body of most operations. */
export const VALUES_MAX = 100_000
/** Deeper JSON can be parsed but not printed: printing is recursive and would overflow the stack. */
const DEPTH_MAX = 100

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const SPACE = 0x20

type ValueLimits = Pick<OperationDescription, 'valuesMax' | 'bodyHint'>

/**
 * Counts the values and the depth of a JSON text before it is parsed, because values take far more
 * memory than their text: 19 MB of `[{},{},…]` would end a process of 512 MB.
 */
export function assertJsonSize(text: string, limits: ValueLimits): void {
  const { valuesMax = VALUES_MAX } = limits
  let values = 1
  let depth = 0
  let before = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code <= SPACE) continue
    if (code === QUOTE) {
      at = endOfString(text, at)
    } else if (code === COMMA) {
      values++
      if (values > valuesMax) throw tooMany(limits)
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      depth++
      if (depth > DEPTH_MAX) throw tooDeep()
      // The first of what is inside; each comma stands for another.
      values++
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      depth--
      if (before === OPEN_LIST || before === OPEN_OBJECT) values--
    }
    before = code
  }
  if (values > valuesMax) throw tooMany(limits)
}

/** Returns the position of the closing quote, which no odd number of backslashes precedes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end > 0; end = text.indexOf('"', end + 1)) {
    let slash = end
    while (text.charCodeAt(slash - 1) === BACKSLASH) slash--
    if ((end - slash) % 2 === 0) return end
  }
  return text.length
}

const tooMany = ({ valuesMax = VALUES_MAX, bodyHint: hint }: ValueLimits) =>
  new HttpError(413, 'body', `The body may hold at most ${valuesMax} JSON values.`, { hint })

const tooDeep = () =>
  new DomainError('malformed-json', `The body may be at most ${DEPTH_MAX} levels deep.`)
