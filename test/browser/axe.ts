import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Half as long as the other one; each page that is loaded compiles it. */
const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const LEVELS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What axe finds by all rules, or by one, in the page or in parts of it. */
export async function axeProblems(
  page: Page,
  rule?: string,
  include?: readonly string[],
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SOURCE)
  const { violations } = await page.evaluate(
    ({ only, parts }) =>
      (window as unknown as { axe: typeof axe }).axe.run(parts ?? document, {
        runOnly: only,
        // No level has it, and a run of its own takes as long again.
        ...(Array.isArray(only) && { rules: { 'empty-table-header': { enabled: true } } }),
        resultTypes: ['violations'],
        // It is not in the frames, and would wait half a second for each; and no rule here needs CSS.
        iframes: false,
        preload: false,
      }),
    {
      only: rule === undefined ? LEVELS : { type: 'rule' as const, values: [rule] },
      parts: include && { include: include.map((part) => [part]) },
    },
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target}: ${failureSummary}`),
  )
}
