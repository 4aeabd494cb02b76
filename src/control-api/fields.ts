import * as z from 'zod'
import { record } from './schema.ts'

export const ActingFor = () =>
  z
    .string()
    .optional()
    .describe('The user to act for, if the call has no token (the setting `access.subject`).')

/** Entry of the errors in a response. */
export const FieldError = () =>
  record({
    field: z.string().describe('The field, header or parameter that is wrong.'),
    message: z.string().describe('What is wrong with it; the wording can change.'),
  })
export type FieldError = z.output<ReturnType<typeof FieldError>>

/** Costs in CAD that add up to their total. */
export const CostFields = () => ({
  fee: z.number().describe('Fee of the service, in CAD.'),
  gas: z.number().describe('Cost of the blockchain transfer, in CAD.'),
  spread: z
    .number()
    .describe('Difference between the rate and the price that the user gets, in CAD.'),
  total: z.number().describe('Sum of fee, gas and spread, in CAD.'),
})
