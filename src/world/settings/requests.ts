import { choice, count } from './setting.ts'

export const REQUESTS = {
  'requests.unknownFields': choice(['ignore', 'refuse'], {
    ref: 'Errors: 6',
    question: 'What happens to body fields that the contract does not name?',
    why: 'Clients of the first generation send some. It governs v2; v1 and KYB always ignore them.',
    strict: 'refuse',
  }),
  'requests.perMinute': count(0, {
    least: 0,
    most: 1_000_000,
    ref: 'Limits: last paragraph',
    question: 'How many calls may an integrator make in a minute of world time?',
    why: '0 means no limit, as none is shown; above the limit calls are 429 with Retry-After.',
  }),
}
