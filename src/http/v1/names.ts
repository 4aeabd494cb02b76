import { PROFILE_FIELD_NAMES, toV1Name } from '../../world/profile.ts'

/** v1's names of what v2 renamed (contract, Versioning: 3). */
const V1_NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(PROFILE_FIELD_NAMES.map((name) => [name, toV1Name(name)])),
  shareToken: 'share_token',
  txId: 'tx_id',
}

const RENAMED = new RegExp(`\\b(${Object.keys(V1_NAMES).join('|')})\\b`, 'g')

/** A sentence of the world with the field names that a v1 caller has sent. */
export function toV1Sentence(sentence: string): string {
  return sentence.replace(RENAMED, (name) => V1_NAMES[name] ?? name)
}
