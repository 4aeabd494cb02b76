import { expect, it } from 'vitest'
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

it.each([
  ['500ms', 500],
  ['2d', 2 * DAY],
  ['P1W1DT1H1M1S', 8 * DAY + HOUR + 61_000],
  [1500, 1500],
])('a length of time is read from %s as %d ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
})

it.each([...['', 'P1DT', '1', '1.5h', '-1h', '1H', 'P1M', '36526d', -1, 0.5, Number.NaN]])(
  'a length of time is not read from %s',
  (text) => {
    expect(parseDuration(text)).toBeUndefined()
  },
)

it('a length of time may be as long as the maximum', () => {
  expect(parseDuration('36525d')).toBe(DURATION_MAX)
  expect(parseDuration(DURATION_MAX)).toBe(DURATION_MAX)
})

it('a formatted length of time reads back as the same', () => {
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
  [90_000, '90s'],
  [36 * HOUR, '36h'],
])('a length of time of %d ms is written as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

it.each([
  ['2026-07-01T12:00Z', Date.UTC(2026, 6, 1, 12)],
  ['2026-07-01T12:00:00.5Z', Date.UTC(2026, 6, 1, 12, 0, 0, 500)],
  ['9699-12-31T23:59:59.999Z', INSTANT_MAX],
])('an instant is read from %s', (text, instant) => {
  expect(parseInstant(text)).toBe(instant)
})

it.each([
  '2026-07-01',
  '2026-07-01T12:00:00+02:00',
  '2023-02-29T00:00:00Z',
  '1969-12-31T23:59Z',
  '+010000-01-01T00:00:00Z',
  'now',
])('an instant is not read from %s', (text) => {
  expect(parseInstant(text)).toBeUndefined()
})

it('a formatted instant reads back as the same', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: INSTANT_MAX }), (instant) => {
      expect(parseInstant(formatInstant(instant))).toBe(instant)
    }),
  )
})

it.each([
  ['2024-02-29', true],
  ['2023-02-29', false],
  ['2026-04-31', false],
])('the date %s is recognised as real or not', (text, exists) => {
  expect(isRealDate(text)).toBe(exists)
})
