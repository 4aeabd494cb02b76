import type { Json } from '../../client/http.ts'
import type { Named } from './names.ts'
import { toSource } from './source.ts'

/** One statement of a scenario; it declares a name only where another one uses it. */
export type Statement = string | { named: Named; code: string; expected?: Json }

export function formatStatement(line: Statement): string {
  if (typeof line === 'string') return line
  const { named, code, expected } = line
  // A call of several lines would hide what is expected of it.
  const isNamed = named.isUsed || (expected !== undefined && code.includes('\n'))
  const declared = isNamed ? `const ${named.name} = ${code}` : code
  if (expected === undefined) return declared
  const actual = isNamed ? named.name : code
  const last = actual.length - actual.lastIndexOf('\n') - 1
  const check = `expect(${actual}, ${toSource(expected, 0, last + 13)})`
  return isNamed ? `${declared}\n${check}` : check
}
