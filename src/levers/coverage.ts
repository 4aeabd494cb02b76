import * as z from 'zod'
import { named } from './schema.ts'

const Situation = () =>
  named('Situation', {
    id: z
      .string()
      .describe('Stable id, such as `expired-sell` or `createTransaction/not-verified`.'),
    met: z.boolean().describe('Whether it occurred.'),
    call: z
      .string()
      .nullable()
      .describe('Method and path, where it is about one operation; else null.'),
  }).describe('A situation that an integration can meet.')

export const Coverage = () =>
  z.strictObject({
    calls: z.int().describe('How many calls of the contract were made.'),
    situations: z.array(Situation()).describe('Every situation that the settings make possible.'),
  })
export type Coverage = z.output<ReturnType<typeof Coverage>>

export const coverage = {
  coverage: {
    id: 'getCoverage',
    summary: 'List situations of the contract: which were met, and which never were',
    about:
      'Each operation with its success and each error, each status of a transaction and of a verification, each webhook and what became of it, and what goes wrong in between. Nothing is forgotten by a reset, a restore or the end of a world. At the base URL all worlds of the process count together, below `/w/{name}` that world alone. A situation that the settings of every world with a call exclude is left out.',
    success: 'The situations, in the order of the tables.',
    response: Coverage,
  },
} as const
