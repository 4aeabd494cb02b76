import * as z from 'zod'
import { REFUSE_EVERY, REFUSE_LATER } from '../engine/run-change.ts'
import type { Resource } from '../webhooks/run-change.ts'
import { DomainError } from '../world/domain-error.ts'
import { ERRORS, type ErrorCode, errorsOn, isGeneral, isRefused } from '../world/settings/errors.ts'
import type { Settings } from '../world/settings/index.ts'
import type { ContractOperationId } from '../world/settings/operations.ts'
import type { Operation } from './operation.ts'
import { type OperationDescription, schemaOf } from './operation-description.ts'
import type { Services } from './services.ts'
import { HttpError } from './status.ts'

interface ChangedCall {
  readonly operation: Operation
  readonly services: Services
}

/** Throws for an operation that the run refuses. */
export function assertNotRefused({ operation, services }: ChangedCall): void {
  const { refused } = services.change
  if (refused === undefined || !operation.dialect.isContract) return
  const { situations, world } = services
  if (refused === REFUSE_EVERY || (refused === REFUSE_LATER && !situations.isFirstCall)) {
    situations.addChange()
    throw new DomainError('too-many-requests', 'Too many calls in one minute.')
  }
  if (refused !== operation.id) return
  situations.addChange()
  throw refusalOf(operation.id, world.settings)
}

/** The first error of an operation that is about neither credentials nor the form of its input. */
export function findRefusal(id: string, settings: Settings): ErrorCode | undefined {
  const isOwn = (code: ErrorCode) => !isGeneral(code) && !ABOUT_INPUT.includes(code)
  return errorsOn(id).find((code) => isOwn(code) && isRefused(settings, code))
}

const ABOUT_INPUT: readonly ErrorCode[] = ['page-too-large', 'too-many-decimals']

function refusalOf(id: string, settings: Settings): DomainError {
  const code = findRefusal(id, settings)
  if (code !== undefined) return new DomainError(code, ERRORS[code].says)
  return new HttpError(503, 'service', 'The service is not available.', { code: 'fault' })
}

/** Operations whose responses show a resource. */
export const SHOWN_BY: Readonly<Record<Resource, readonly ContractOperationId[]>> = {
  transaction: [
    'createTransaction',
    'getTransaction',
    'listTransactions',
    'cancelTransaction',
    'v1CreateTransaction',
    'v1GetTransaction',
  ],
  quote: ['createQuote', 'v1PriceQuote'],
  limits: ['getLimits'],
  user: ['createUser', 'findUsers', 'updateUser', 'importKyc', 'v1FindUser'],
  configuration: [
    'putWebhookConfiguration',
    'getWebhookConfiguration',
    'rotateSigningSecret',
    'v1MakeSigningSecret',
  ],
}

/** Names of the fields that the response of an operation can have, the inner ones included. */
export function namesShownBy({ id, response }: OperationDescription): string[] {
  // A page has the rows that the call for one of them returns.
  if (response === undefined || id === 'listTransactions') return []
  const names = new Set<string>()
  const schema = z.toJSONSchema(schemaOf(response), { io: 'output', unrepresentable: 'any' })
  JSON.stringify(schema, (key, value) => {
    if (key === 'properties') for (const name of Object.keys(value)) names.add(name)
    return value
  })
  return [...names]
}

/** The data of a response without the field that the run leaves out. */
export function withoutLeftOut({ operation, services }: ChangedCall, data: unknown): unknown {
  const { leftOut } = services.change
  if (leftOut === undefined || !SHOWN_BY[leftOut.resource].some((id) => id === operation.id)) {
    return data
  }
  let isFound = false
  const text = JSON.stringify(data, (name, value) => {
    if (name !== leftOut.field) return value
    isFound = true
    return undefined
  })
  if (isFound) services.situations.addChange()
  return isFound ? JSON.parse(text) : data
}
