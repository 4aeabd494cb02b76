import { describe, expect, it } from 'vitest'
import {
  DAY,
  DURATION_MAX,
  formatDuration,
  formatInstant,
  HOUR,
  INSTANT_MAX,
  isRealDate,
  parseDuration,
  parseInstant,
} from '../../src/world/duration.ts'
import fc from '../helpers/fast-check.ts'

describe('a length of time', () => {
  it.each([
    ['500ms', 500],
    ['90s', 90_000],
    ['10m', 600_000],
    ['1h', HOUR],
    ['2d', 2 * DAY],
    ['PT1H', HOUR],
    ['PT90S', 90_000],
    ['P1DT1M', DAY + 60_000],
    ['P2W', 14 * DAY],
    ['P1W1DT1H1M1S', 8 * DAY + HOUR + 61_000],
    ['0ms', 0],
    [0, 0],
    [1500, 1500],
  ])('reads %s as %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms)
  })

  it.each([
    ...['', 'P', 'PT', 'P1DT', '1', '1.5h', '-1h', '1 h', '1H', 'PT-1H', 'PT1.5S', 'P1M', 'P1Y'],
    ...['36526d', '999999999999d', -1, 0.5, Number.NaN, Infinity, DURATION_MAX + 1],
  ])('does not read %s', (text) => {
    expect(parseDuration(text)).toBeUndefined()
  })

  it('goes to the longest and no further', () => {
    expect(parseDuration('36525d')).toBe(DURATION_MAX)
    expect(parseDuration(DURATION_MAX)).toBe(DURATION_MAX)
  })

  it('reads what it writes', () => {
    const ms = fc.oneof(
      fc.integer({ min: 0, max: DURATION_MAX }),
      fc.integer({ min: 0, max: 1_000 }).map((hours) => hours * HOUR),
    )
    fc.assert(
      fc.property(ms, (length) => {
        expect(parseDuration(formatDuration(length))).toBe(length)
      }),
    )
  })

  it.each([
    [0, '0ms'],
    [999, '999ms'],
    [1_000, '1s'],
    [90_000, '90s'],
    [60_000, '1m'],
    [36 * HOUR, '36h'],
    [48 * HOUR, '2d'],
  ])('writes %d ms as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })
})

describe('an instant', () => {
  it.each([
    ['2026-07-01T12:00:00Z', Date.UTC(2026, 6, 1, 12)],
    ['2026-07-01T12:00Z', Date.UTC(2026, 6, 1, 12)],
    ['2026-07-01T12:00:00.5Z', Date.UTC(2026, 6, 1, 12, 0, 0, 500)],
    ['2024-02-29T00:00:00.000Z', Date.UTC(2024, 1, 29)],
    ['1970-01-01T00:00:00Z', 0],
    ['9999-12-31T23:59:59.999Z', INSTANT_MAX],
  ])('reads %s', (text, instant) => {
    expect(parseInstant(text)).toBe(instant)
  })

  it.each([
    ...['2026-07-01', '2026-07-01T12:00:00', '2026-07-01T12:00:00+02:00', '2026-7-1T12:00:00Z'],
    ...[
      '2023-02-29T00:00:00Z',
      '2026-07-32T00:00:00Z',
      '2026-07-01T25:00:00Z',
      '1969-12-31T23:59Z',
    ],
    ...['+010000-01-01T00:00:00Z', '2026-07-01T12:00:00.1234Z', 'now', ''],
  ])('does not read %s', (text) => {
    expect(parseInstant(text)).toBeUndefined()
  })

  it('reads what it writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: INSTANT_MAX }), (instant) => {
        expect(parseInstant(formatInstant(instant))).toBe(instant)
      }),
    )
  })
})

it.each([
  ['2024-02-29', true],
  ['2023-02-29', false],
  ['2026-04-31', false],
  ['2026-13-01', false],
  ['2026-1-1', false],
  ['0000-01-01', true],
  ['2026-07-01T', false],
])('says of the date %s whether it exists', (text, exists) => {
  expect(isRealDate(text)).toBe(exists)
})
