/** The chain of each ending of a label whose coins are real tokens, such as `BASE`. */
const chains: Readonly<Record<string, string>> = JSON.parse(document.body.dataset.chains ?? '{}')

export const hasChain = Object.keys(chains).length > 0

/** The chain that the coins of a label are on; undefined where they are simulated. */
export const chainOf = (label: string): string | undefined => chains[label.split('-')[1] ?? '']

/** A new wallet has an address of its own, so that nobody else's coins are in it. */
export function newAddress(): string {
  const bytes = [...crypto.getRandomValues(new Uint8Array(20))]
  return `0x${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
