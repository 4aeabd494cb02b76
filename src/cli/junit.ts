import { writeOutput } from './option-values.ts'

export interface JunitCase {
  name: string
  ms?: number
  /** `error` is one that could not be run. */
  result: 'passed' | 'failure' | 'error'
  message?: string
  detail?: string
  out?: string
}

export const JUNIT = {
  value: 'FILE',
  help: 'write the results to this file, in JUnit format',
} as const

/** Writes the results of `play` to the file of `--junit`, if it was given. */
export function writeJunit(file: string | undefined, cases: readonly JunitCase[]) {
  if (file !== undefined) writeOutput('--junit', file, formatJunit(cases))
}

const SUITE = 'scenarios'

function formatJunit(cases: readonly JunitCase[]): string {
  const count = (result: JunitCase['result']) => cases.filter((one) => one.result === result).length
  const all = cases.reduce((sum, { ms = 0 }) => sum + ms, 0)
  const counts = `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" time="${toSeconds(all)}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="ramp-sandbox play" ${counts}>`,
    `  <testsuite name="${SUITE}" ${counts}>`,
    ...cases.map(formatCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

const toSeconds = (ms: number) => (ms / 1000).toFixed(3)

function formatCase({ name, ms = 0, result, message = '', detail = '', out = '' }: JunitCase) {
  const head = `    <testcase classname="${SUITE}" name="${toXml(name)}" time="${toSeconds(ms)}">`
  const said =
    result === 'passed'
      ? []
      : [`      <${result} message="${toXml(message)}">${toXml(detail)}</${result}>`]
  const printed = `      <system-out>${toXml(out)}</system-out>`
  return [head, ...said, printed, '    </testcase>'].join('\n')
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** XML cannot represent most control characters. */
function toXml(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are the ones to take out
  const printable = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
  return printable.replace(/[&<>"]/g, (char) => ENTITIES[char] ?? char)
}
