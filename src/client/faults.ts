import type { CreateApiFault, CreateWebhookFault, FaultRecord } from '../http/control/wire.ts'
import type { ContractOperationId } from '../http/openapi/operations/index.ts'
import type { ControlClient } from './control.ts'

type ApiMatch = NonNullable<CreateApiFault['match']>

/** What goes wrong with calls of the API. */
export type CallFault = Omit<CreateApiFault, 'match'> & {
  match?:
    | (Omit<ApiMatch, 'operation'> & { operation?: ContractOperationId | undefined })
    | undefined
}

export type AnyFault = CallFault | CreateWebhookFault

export type OrderedFault = AnyFault & Pick<FaultRecord, 'id' | 'seen' | 'hits'>

/** Misbehaviour to test against; the first that matches applies, and a reset removes all. */
export interface Faults {
  list(): Promise<OrderedFault[]>
  add(fault: AnyFault): Promise<OrderedFault>
  delete(id: string): Promise<void>
  clear(): Promise<void>
}

export function createFaults({ call }: ControlClient): Faults {
  return {
    list: async () => (await call<{ items: OrderedFault[] }>('GET', '/faults')).items,
    add: (fault) => call('POST', '/faults', { body: fault }),
    delete: (id) => call('DELETE', `/faults/${encodeURIComponent(id)}`),
    clear: () => call('DELETE', '/faults'),
  }
}
