import { text as textOf } from 'node:stream/consumers'
import type { Sandbox } from '../../client/client.ts'
import { readTextFile } from '../../text-file.ts'
import { invalid, orInvalid } from '../option-values.ts'

/** A webhook as a receiver wrote it down. */
interface Received {
  headers: Record<string, string>
  body: string
}

/** Finds a delivery by its id, or reads JSON with `headers` and `body` from a file, or stdin for `-`. */
export async function readReceived({ webhooks }: Sandbox, path: string): Promise<Received> {
  if (/^dlv_\d+$/.test(path)) return (await webhooks.delivery(path)).request
  const text =
    path === '-'
      ? await textOf(process.stdin)
      : orInvalid('FILE', `${path} cannot be read`, () => readTextFile(path))
  const received = parseReceived(text)
  if (received !== undefined) return received
  throw invalid(
    'FILE',
    `${path} is not a webhook as it was received.`,
    'It must be JSON such as {"headers": {…}, "body": "…"}.',
  )
}

function parseReceived(text: string): Received | undefined {
  try {
    const { headers, body } = JSON.parse(text)
    const isWhole = typeof headers === 'object' && headers !== null && typeof body === 'string'
    return isWhole ? { headers, body } : undefined
  } catch {
    return undefined
  }
}
