import { getKycLink } from '../world/kyc.ts'
import type { Services } from './services.ts'

/** Finds the user of a link, and counts a link that was used after its end. */
export function openKycLink(
  { world, situations }: Pick<Services, 'world' | 'situations'>,
  token: string,
): ReturnType<typeof getKycLink> {
  const link = world.kycLinks.get(token)
  if (link !== undefined && link.expiresAt <= world.now) situations.meet('late-kyc-link')
  return getKycLink(world, token)
}
