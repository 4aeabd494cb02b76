import { count } from './setting.ts'

export const REQUESTS = {
  'requests.perMinute': count(0, {
    least: 0,
    most: 1_000_000,
    on: ['key'],
    ref: 'Limits: last paragraph',
    question: 'How many calls may an integrator make in a minute of world time?',
    why: '0 means no limit, as none is shown; above the limit calls are 429 with Retry-After.',
  }),
}
