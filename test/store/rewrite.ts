import { crc32 } from 'node:zlib'

const HEADER_LENGTH = 1024

type Lines = unknown[][]

/** A data file with other lines, all of them with the right checksum. */
export function rewrite(text: string, change: (lines: Lines) => void): string {
  const [header, ...rows] = changed(text, change)
  const json = JSON.stringify(header).padEnd(HEADER_LENGTH - 10)
  return toLine(json, crc32(json)) + chained(rows)
}

function changed(text: string, change: (lines: Lines) => void): Lines {
  const lines: Lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line.slice(9)))
  change(lines)
  return lines
}

function chained(rows: Lines): string {
  let sum = 0
  let text = ''
  for (const row of rows) {
    const json = JSON.stringify(row)
    sum = crc32(json, sum)
    text += toLine(json, sum)
  }
  return text
}

const toLine = (json: string, sum: number) => `${sum.toString(16).padStart(8, '0')} ${json}\n`
