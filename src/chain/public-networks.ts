/** Chain ids of networks where coins are worth something, or that others test on. */
export const PUBLIC_NETWORKS: ReadonlySet<number> = new Set([
  // Ethereum, and its test networks.
  1, 3, 4, 5, 42, 11155111, 17000, 560048,
  // Optimism, Base, Arbitrum, Polygon.
  10, 420, 11155420, 8453, 84531, 84532, 42161, 42170, 421611, 421613, 421614, 137, 80001, 80002,
  1101, 2442,
  // Avalanche, BNB, Celo, SX.
  43114, 43113, 56, 97, 204, 42220, 44787, 11142220, 416, 647, 4162, 79479957,
  // Gnosis, Linea, Scroll, zkSync, Mantle, Blast, Fantom, Sonic, Moonbeam, Cronos, Unichain, Ink.
  100, 10200, 59144, 59141, 534352, 534351, 324, 300, 5000, 5003, 81457, 250, 4002, 146, 1284, 1285,
  25, 338, 130, 1301, 57073,
])
