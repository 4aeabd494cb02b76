import { choice } from './setting.ts'

export const PRESET = {
  preset: choice(['default', 'contract'], {
    on: ['all'],
    ref: 'What the service does',
    question: 'Which values do settings have that are not set one by one?',
    why: '`contract` is the strictest reading of the contract. Choosing one sets every setting; those that are set with it, or later, win.',
  }),
}
