import { listObservability } from './probes.ts'
import type { Exchange } from './provider.ts'
import { ABILITIES, LEVELS } from './step.ts'

/** Every call of a run, as the sandbox itself got it. */
export function formatPlan(exchanges: readonly Exchange[]): string {
  const lines = exchanges.map(({ route, path, options, step }) => {
    const [method] = route.split(' ')
    const { body, text, key = 'first', token } = options
    const credentials = [key === 'none' ? 'no key' : `${key} key`, ...(token ? ['token'] : [])]
    const sent = body === undefined ? (text ?? '') : ` ${JSON.stringify(body)}`
    return `${method} ${decodeURIComponent(path)}${sent} (${step}; ${credentials.join(', ')})`
  })
  return [
    ...lines,
    '',
    `${lines.length} calls, if the provider responds as the sandbox does. Where a bound is another`,
    'one, a search for it makes up to ten more of the same call. Ids are those of the sandbox.',
    '',
  ].join('\n')
}

/** Which settings a calibration can find, at which level, and why not the others; in Markdown. */
export function formatObservability(): string {
  const rows = listObservability()
  const tables = LEVELS.map((level) => {
    const found = rows.filter((row) => row.level === level)
    const lines = found.map(({ setting, needs }) => {
      const options = needs.map((ability) => ABILITIES[ability].replaceAll('|', '\\|')).join(', ')
      return `| \`${setting}\` | ${options} |`
    })
    return toTable(`Found with \`${level}\`: ${found.length}`, 'Needs', lines)
  })
  const others = rows.filter(({ level }) => level === null)
  const lines = others.map(({ setting, why }) => `| \`${setting}\` | ${why} |`)
  return [...tables, toTable(`Not observable: ${others.length}`, 'Why', lines)].join('\n')
}

const toTable = (title: string, head: string, lines: readonly string[]) =>
  [`## ${title}`, '', `| Setting | ${head} |`, '| --- | --- |', ...lines, ''].join('\n')
