import type { Wire } from '../../control-api/wire.ts'
import { control, messageOf } from '../lib/api.ts'
import { controlPath } from '../lib/page.ts'
import { toast } from '../lib/toast.tsx'

/** A fresh access token of a user, who may be named by an id or an e-mail address. */
export async function requestToken(user: string, integrator: string | undefined): Promise<string> {
  const path = controlPath(`/users/${encodeURIComponent(user)}/token`)
  type Token = Wire['users.token']['response']
  return (await control<Token>('POST', path, { integrator })).accessToken
}

/** The same; `$TOKEN`, and the reason, where none can be made. */
export async function issueToken(userId: string, integrator: string | null): Promise<string> {
  try {
    return await requestToken(userId, integrator ?? undefined)
  } catch (error) {
    const curl = `npx --no -- ramp-sandbox user token ${userId}`
    toast({
      text: `Copied with $TOKEN instead of an access token: ${messageOf(error)}`,
      ok: false,
      curl,
    })
    return '$TOKEN'
  }
}
