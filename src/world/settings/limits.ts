import { amount, choice, count, duration } from './setting.ts'

export const LIMITS = {
  'limits.auth': choice(['user', 'key'], {
    ref: 'Endpoints: Quotes and limits, GET /limits',
    question: 'Which headers does the limits read need?',
    why: 'It returns the limits of the authenticated user; `key` returns the general ones without a token.',
  }),
  'limits.maximum': amount(9999, {
    least: 0,
    most: 1e9,
    ref: 'Limits: Per transaction maximum',
    question: 'What may one transaction be worth at most, in CAD?',
    why: 'Stated: 9999, buy or sell; it may differ per account.',
    stated: true,
  }),
  'limits.minimum': amount(10, {
    least: 0,
    most: 1e9,
    ref: 'Limits: Per transaction minimum',
    question: 'What must one transaction be worth at least, in CAD?',
    why: 'Stated: 10 through the platform API.',
    stated: true,
  }),
  'limits.selfServeMinimum': amount(100, {
    least: 0,
    most: 1e9,
    ref: 'Limits: Per transaction minimum',
    question: 'Which minimum does GET /limits show, in CAD?',
    why: 'The self-serve one, converted at the current rate.',
  }),
  'limits.active': count(3, {
    least: 0,
    most: 1e9,
    ref: 'Limits: Active transactions',
    question: 'How many transactions may be active at once?',
    why: 'Stated: 3.',
    stated: true,
  }),
  'limits.cancelled': count(10, {
    least: 0,
    most: 1e9,
    ref: 'Limits: Cancelled or expired transactions',
    question: 'After how many cancelled or expired transactions is creation rejected?',
    why: 'Stated: 10 per 24 hours.',
    stated: true,
  }),
  'limits.cancelled.from': choice(['closed', 'created'], {
    ref: 'Limits: Cancelled or expired transactions',
    question: 'From when do the 24 hours of a cancelled or expired transaction count?',
    why: 'From when it was cancelled or expired.',
  }),
  'limits.window': duration('24h', {
    ref: 'Limits',
    question: 'How far back do the two counting limits look?',
    why: 'Stated: 24 hours.',
    stated: true,
  }),
}
