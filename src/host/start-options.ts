import type { WorldOptions } from '../control-api/world-options.ts'

/**
 * How a sandbox starts: one object for the command line, `ramp-sandbox.json`, the environment and
 * the library. `reset` and `POST /worlds` take what concerns a world.
 */
export interface StartOptions extends WorldOptions {
  /** Folder that keeps worlds from one start to the next, a JSON file each. Default: none. */
  data?: string | undefined
  /** Default: any free one. */
  port?: number | undefined
  /** Name or address to listen on. Default: loopback, at 127.0.0.1 and ::1. */
  host?: string | undefined
  /** File with the certificate for https and its chain, as PEM. Default: plain http. */
  tlsCert?: string | undefined
  /** File with the private key of the certificate, as PEM. */
  tlsKey?: string | undefined
  /** Base URL by which others reach the sandbox, such as that of a proxy. */
  publicUrl?: string | undefined
  /** Host names, besides loopback, to respond to. If the sandbox listens beyond this machine, this limits only the control API. */
  allowHosts?: readonly string[] | undefined
  /** Hosts that webhooks may use over http or at a private address. Loopback needs no entry unless other machines can reach the sandbox. */
  allowWebhookHosts?: readonly string[] | undefined
  /** URL for the webhooks of the first integrator. */
  webhookUrl?: string | undefined
  /** Bearer token that the control API asks for. It is needed where other machines reach it. */
  controlToken?: string | undefined
  /** `false` switches the control API and the inspector off. */
  control?: boolean | undefined
}

/** Options of `createSandbox`; the library needs the control API. */
export interface SandboxOptions extends Omit<StartOptions, 'control'> {
  /**
   * Listens on loopback, so that other programs can reach the sandbox at `url`. With `false`, no
   * socket is opened and everything goes through `fetch`. Default: true.
   */
  listen?: boolean | undefined
}
