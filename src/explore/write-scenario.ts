import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { readFixture } from '../client/fixture-file.ts'
import type { Disturbed, Scenario } from '../scenario/types.ts'

interface FoundOptions {
  file: string
  scenario: Scenario
  sentence: string
  disturbed: Disturbed
}

/** The story as a scenario of its own, which fails until the receiver withstands the disturbance. */
export function toFoundScenario({ file, scenario, sentence, disturbed }: FoundOptions): string {
  const source = readFileSync(file, 'utf8')
  const story = source.replace(/^export default\b/m, 'const story =')
  const { fixture } = scenario
  // A path is relative to the story, and this file may lie elsewhere.
  const read = readFixture(fixture, dirname(file))
  const own = read === fixture ? '' : `  fixture: ${JSON.stringify(read)},\n`
  return `${story.trimEnd()}

/** @type {import('ramp-sandbox').Scenario} */
export default {
  ...story,
${own}  title: ${JSON.stringify(sentence)},
  disturbed: ${JSON.stringify(disturbed, null, 2).replaceAll('\n', '\n  ')},
}
`
}
