import { choice, count, text } from './setting.ts'

const ORIGIN = String.raw`https?://[^\s,/]+`

export const REQUESTS = {
  'requests.null': choice(['absent', 'refused'], {
    on: ['body'],
    ref: 'Resources: Create-user body',
    question: 'What does null as the value of a field of a body mean?',
    why: 'The types that the contract lists have no null; as in many APIs it leaves the field out, whatever the field.',
    strict: 'refused',
  }),
  'requests.perMinute': count(0, {
    least: 0,
    most: 1_000_000,
    on: ['key'],
    ref: 'Limits: last paragraph',
    question: 'How many calls may an integrator make in a minute of world time?',
    why: '0 means no limit, as none is shown; above the limit calls are 429 with Retry-After.',
  }),
  cors: text(
    'none',
    new RegExp(`^(none|\\*|${ORIGIN}(,${ORIGIN})*)$`),
    'none, * or origins with commas between them, such as http://localhost:5173',
    {
      on: ['key'],
      ref: 'Endpoints',
      question: 'Pages of which origins may call the API from a browser?',
      why: 'None is shown, and a key does not belong into a page; the control API is never open to one.',
    },
  ),
}
