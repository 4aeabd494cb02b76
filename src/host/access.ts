import { findHostError } from '../http/control/index.ts'
import type { HttpExchange, ProcessServices } from '../http/services.ts'
import type { HttpError } from '../http/status.ts'

/** Where a process listens. */
export interface Listens {
  /** Whether only programs on this machine reach it. */
  isLoopback: boolean
  /** Undefined until it is known. */
  port(): number | undefined
  /** What it shows under https, as PEM. */
  certificate?: string | undefined
}

export interface ReachOptions {
  /** Host names besides loopback that it answers to, where the name matters. */
  allowHosts?: readonly string[] | undefined
  /** Hosts that webhooks may go to by http, or on a private address. */
  allowWebhookHosts?: readonly string[] | undefined
  /** Nowhere by default. */
  listens?: Listens | undefined
  /** The base URL by which others reach it, without a slash at the end. */
  publicUrl?: string | undefined
}

export function toWebhookRules({ allowWebhookHosts = [], listens, publicUrl }: ReachOptions) {
  const isShared = publicUrl !== undefined || listens?.isLoopback === false
  const ownCertificate = listens?.certificate
  return { allowHosts: allowWebhookHosts, isShared, ownPort: listens?.port, ownCertificate }
}

/** The names that it answers to besides loopback. */
export function toHosts({ allowHosts = [], publicUrl }: ReachOptions): readonly string[] {
  return publicUrl === undefined ? allowHosts : [...allowHosts, new URL(publicUrl).hostname]
}

/**
 * On loopback alone, a page that rebinds its host name must not use even the contract's side: the
 * default key is public. Elsewhere that side answers any host, such as the name of a container.
 */
export function findForeignHost(
  socket: HttpExchange | undefined,
  { listens, control }: { listens: Listens | undefined; control: ProcessServices },
): HttpError | undefined {
  const host = listens?.isLoopback ? socket?.incoming.headers.host : undefined
  return host === undefined ? undefined : findHostError(host, control)
}
