import type { ClientOptions } from '../client/client.ts'
import { SandboxError } from '../client/error.ts'
import { assertRealTicks } from '../client/fake-timers.ts'
import { DomainError } from '../world/domain-error.ts'
import { suggest } from '../world/nearest.ts'
import { toVisible } from '../world/word-list.ts'
import type { Log } from './log.ts'
import { openSandbox } from './sandbox.ts'
import type { SandboxOptions } from './start-options.ts'

const OPTIONS: Record<keyof SandboxOptions, true> = {
  fixture: true,
  seed: true,
  clock: true,
  settings: true,
  data: true,
  listen: true,
  port: true,
  host: true,
  tlsCert: true,
  tlsKey: true,
  publicUrl: true,
  allowHosts: true,
  allowWebhookHosts: true,
  webhookUrl: true,
  controlToken: true,
}

export interface Host extends ClientOptions {
  close(): Promise<void>
}

export async function openHost(options: SandboxOptions, log?: Log): Promise<Host> {
  const { listen = true, controlToken } = options
  try {
    assertKnown(options)
    if (listen) assertRealTicks()
    const { fetch, url, info, close } = await openSandbox({ ...options, log })
    return { fetch, url, apiKey: info.apiKey, controlToken, hasSocket: listen, close }
  } catch (error) {
    throw error instanceof DomainError ? toSandboxError(error) : error
  }
}

/** Rejects misspelt options, which JavaScript callers would never notice. */
function assertKnown(options: SandboxOptions) {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(OPTIONS, name)) continue
    const message = `createSandbox has no option ${toVisible(name)}${suggest(name, Object.keys(OPTIONS))}`
    throw new DomainError('invalid', message, { field: name })
  }
}

function toSandboxError(error: DomainError): SandboxError {
  const { code, problems, detail } = error
  const sentences = problems.map(({ message }) => message)
  if (detail.hint) sentences.push(detail.hint)
  return new SandboxError(sentences.join(' '), { code, problems, cause: error })
}
