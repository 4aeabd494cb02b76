import type { Played } from '../http/plays.ts'
import { formatProblem } from './play-report.ts'

export interface TimedPlay {
  played: Played
  /** Wall time that it took. */
  ms: number
}

/** The results as test reports of CI services read them. */
export function formatJunit(plays: readonly TimedPlay[]): string {
  const failures = countOf(plays, 'failed')
  const errors = countOf(plays, 'broken')
  const all = plays.reduce((sum, { ms }) => sum + ms, 0)
  const counts = `tests="${plays.length}" failures="${failures}" errors="${errors}" time="${toSeconds(all)}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="ramp-sandbox play" ${counts}>`,
    `  <testsuite name="scenarios" ${counts}>`,
    ...plays.map(formatCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

const countOf = (plays: readonly TimedPlay[], outcome: Played['outcome']) =>
  plays.filter(({ played }) => played.outcome === outcome).length

const toSeconds = (ms: number) => (ms / 1000).toFixed(3)

function formatCase({ played, ms }: TimedPlay): string {
  const { name, outcome, problem, steps } = played
  const head = `    <testcase classname="scenarios" name="${toXml(name)}" time="${toSeconds(ms)}">`
  const element = outcome === 'failed' ? 'failure' : 'error'
  const failure = problem && [
    `      <${element} message="${toXml(problem.message)}">${toXml(formatProblem(problem))}</${element}>`,
  ]
  const titles = steps.map(({ title }) => title).join('\n')
  const out = `      <system-out>${toXml(titles)}</system-out>`
  return [head, ...(failure ?? []), out, '    </testcase>'].join('\n')
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** XML has no way at all to write most control characters. */
function toXml(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are the ones to take out
  const printable = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
  return printable.replace(/[&<>"]/g, (char) => ENTITIES[char] ?? char)
}
