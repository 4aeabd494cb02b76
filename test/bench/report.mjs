import { quantile } from './rounds.mjs'

/** A row of the table. Without anything beside it, its figure itself is held against the aim. */
export function toRow(row, measured) {
  return row.beside === undefined ? toAbsolute(row, measured) : toRatio(row, measured)
}

/** The ratio of each round, their median and spread, and both figures. */
function toRatio({ name, beside, unit, aim }, measured) {
  const ratios = measured.map(({ ours, bare }) => ours / bare)
  const ratio = quantile(ratios, 0.5)
  return {
    what: name,
    beside,
    ratio: format(ratio),
    spread: spreadOf(ratios, format),
    aim: showAim(aim),
    met: meets(aim, ratio) ? 'yes' : 'no',
    ours: `${whole(medianOf(measured, 'ours'))} ${unit}`,
    bare: `${whole(medianOf(measured, 'bare'))} ${unit}`,
  }
}

function toAbsolute({ name, unit, aim, at = 0.5 }, measured) {
  const figures = measured.map(({ ours }) => ours)
  const figure = quantile(figures, at)
  return {
    what: name,
    beside: '',
    ratio: '',
    spread: spreadOf(figures, short),
    aim: `${showAim(aim)} ${unit}`,
    met: meets(aim, figure) ? 'yes' : 'no',
    ours: `${short(figure)} ${unit}`,
    bare: '',
  }
}

const meets = ({ least, most, under }, value) => {
  if (under !== undefined) return value < under
  return least === undefined ? value <= most : value >= least
}

function showAim({ least, most, under }) {
  if (under !== undefined) return `< ${whole(under)}`
  return least === undefined ? `≤ ${most}` : `≥ ${least.toFixed(2)}`
}

const medianOf = (measured, side) =>
  quantile(
    measured.map((round) => round[side]),
    0.5,
  )

const spreadOf = (values, show) => `${show(Math.min(...values))}–${show(Math.max(...values))}`
const format = (ratio) => ratio.toFixed(ratio < 10 ? 2 : 1)
const whole = (figure) => Math.round(figure).toLocaleString('en')
const short = (figure) => (figure < 100 ? String(Math.round(figure * 10) / 10) : whole(figure))

/** Markdown, so that it can be pasted as it is. */
export function formatTable(rows) {
  const names = Object.keys(rows[0] ?? {})
  const cells = [names, ...rows.map((row) => names.map((name) => row[name]))]
  const widths = names.map((_, i) => Math.max(...cells.map((row) => row[i].length)))
  const line = (row) => `| ${row.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`
  const [head, ...body] = cells
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n')
}
