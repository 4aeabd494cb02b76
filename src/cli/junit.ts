import { writeOutput } from './option-values.ts'

/** One test of a JUnit report. */
export interface JunitCase {
  name: string
  ms?: number
  /** `error` is one that could not be run, `skipped` one that says nothing. */
  result: 'passed' | 'failure' | 'error' | 'skipped'
  message?: string
  detail?: string
  out?: string
}

export const JUNIT = {
  value: 'FILE',
  help: 'write the results to this file, in JUnit format',
} as const

/** Writes the results to the file of `--junit`, if it was given. */
export function writeJunit(file: string | undefined, ...report: Parameters<typeof formatJunit>) {
  if (file !== undefined) writeOutput('--junit', file, formatJunit(...report))
}

/** Formats a JUnit report of the results that `command` produced. */
export function formatJunit(command: string, suite: string, cases: readonly JunitCase[]): string {
  const count = (result: JunitCase['result']) => cases.filter((one) => one.result === result).length
  const all = cases.reduce((sum, { ms = 0 }) => sum + ms, 0)
  const skipped = count('skipped') > 0 ? ` skipped="${count('skipped')}"` : ''
  const counts = `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}"${skipped} time="${toSeconds(all)}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="ramp-sandbox ${command}" ${counts}>`,
    `  <testsuite name="${toXml(suite)}" ${counts}>`,
    ...cases.map((one) => formatCase(suite, one)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

const toSeconds = (ms: number) => (ms / 1000).toFixed(3)

function formatCase(suite: string, row: JunitCase): string {
  const { name, ms = 0, result, message = '', detail = '', out = '' } = row
  const head = `    <testcase classname="${toXml(suite)}" name="${toXml(name)}" time="${toSeconds(ms)}">`
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
