import { median } from './rounds.mjs'

/** A row of the table: the ratio of each round, their median and spread, and both figures. */
export function toRow({ name, beside, unit, aim }, measured) {
  const ratios = measured.map(({ ours, bare }) => ours / bare)
  const ratio = median(ratios)
  const spread = `${format(Math.min(...ratios))}–${format(Math.max(...ratios))}`
  const isMet = aim.least === undefined ? ratio <= aim.most : ratio >= aim.least
  return {
    what: name,
    beside,
    ratio: format(ratio),
    spread,
    aim: aim.least === undefined ? `≤ ${aim.most}` : `≥ ${aim.least}`,
    met: isMet ? 'yes' : 'no',
    ours: `${whole(median(measured.map(({ ours }) => ours)))} ${unit}`,
    bare: `${whole(median(measured.map(({ bare }) => bare)))} ${unit}`,
  }
}

const format = (ratio) => ratio.toFixed(ratio < 10 ? 2 : 1)
const whole = (figure) => Math.round(figure).toLocaleString('en')

/** Markdown, so that it can be pasted as it is. */
export function formatTable(rows) {
  const names = Object.keys(rows[0] ?? {})
  const cells = [names, ...rows.map((row) => names.map((name) => row[name]))]
  const widths = names.map((_, i) => Math.max(...cells.map((row) => row[i].length)))
  const line = (row) => `| ${row.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`
  const [head, ...body] = cells
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n')
}
