import { stripVTControlCharacters } from 'node:util'

/** Lines of evidence from the output of a suite. */
const LINES_MAX = 12

/**
 * How test runners begin what they say of a failed test, the most telling first. What is matched by
 * several lines is said once, by the first.
 */
const BEGINNINGS: readonly RegExp[] = [
  // node:test, reporter spec: the details stand below this title.
  /^✖ failing tests:/,
  // Vitest, and Jest.
  /^ ?FAIL .* > /,
  /^● .+ › /,
  // pytest: the assertion, and the summary with the name of the test.
  /^_{3,} .+ _{3,}$/,
  /^FAILED .+::/,
  // Go, with the lines of the test below it.
  /^\s*--- FAIL: /,
  // TAP; a test that is to do may fail.
  /^\s*not ok \d+(?!.*# (TODO|SKIP))/,
  // PHPUnit, RSpec, JUnit and others.
  /^\s*\d+\) .+/,
  /\b(AssertionError|Assertion failed|AssertError)\b/,
  /^\s*(Error|\w+Error|panic|FAIL|FAILED)\b/,
]

/** What says nothing about a failure: source frames, counts, and decoration. */
const NOISE: readonly RegExp[] = [
  /^[\s⎯─━=_.\-|^]*$/,
  /^\s*at .+[:)]\d*/,
  /^\s*(# )?(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms)\b:?\s+[\d.]/,
  /^\s*(ℹ|duration_ms|type:|location:|failureType:|stack:|name:|code:|operator:|\.\.\.$|---$)/,
  /^\s*✖ failing tests:/,
  /node:internal|^\s*# Subtest: |^\s*ok \d+/,
  /^\s*❯ |^\s*\d*\|/,
  /^⎯+\[\d+\/\d+\]⎯+$|^\s*(Test Files|Tests|Start at|Duration) {2}/,
]

/** Finds the failed test and its assertion in the output of a suite, or else its last lines. */
export function findFailure(output: string): string[] {
  const lines = stripVTControlCharacters(output)
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
  const isNoise = (line: string) => NOISE.some((pattern) => pattern.test(line))
  for (const beginning of BEGINNINGS) {
    const at = lines.findIndex((line) => beginning.test(line))
    if (at === -1) continue
    const told = lines.slice(at).filter((line) => !isNoise(line))
    return outdent(addAssertions(told, lines).slice(0, LINES_MAX))
  }
  return outdent(lines.filter((line) => !isNoise(line)).slice(-LINES_MAX))
}

/** pytest prints the code of a test before its assertion, which begins with an E. */
function addAssertions(told: readonly string[], lines: readonly string[]): readonly string[] {
  const asserted = lines.filter((line) => /^E {3}/.test(line))
  if (asserted.length === 0) return told
  const names = lines.filter((line) => /^FAILED .+::/.test(line))
  return names.length > 0 ? [...names, ...asserted] : [...told.slice(0, 1), ...asserted]
}

function outdent(lines: readonly string[]): string[] {
  const indents = lines.map((line) => line.length - line.trimStart().length)
  const least = Math.min(...indents)
  return lines.map((line) => line.slice(least))
}
