import type { Wire } from '../../control-api/wire.ts'
import { control, messageOf } from '../lib/api.ts'
import { controlPath } from '../lib/page.ts'
import { toast } from '../lib/toast.tsx'

/** A fresh access token of a user; `$TOKEN`, and the reason, where none can be made. */
export async function issueToken(userId: string, integrator: string | null): Promise<string> {
  const path = controlPath(`/users/${encodeURIComponent(userId)}/token`)
  try {
    const body = integrator ? { integrator } : {}
    return (await control<Wire['users.token']['response']>('POST', path, body)).accessToken
  } catch (error) {
    const curl = `npx --no -- ramp-sandbox user token ${userId}`
    toast({ text: `Copied with $TOKEN: ${messageOf(error)}`, ok: false, curl })
    return '$TOKEN'
  }
}
