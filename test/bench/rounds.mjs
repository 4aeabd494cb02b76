/** Measures ours and the bare one in turn, so that whatever else the machine does hits both. */
export async function measureRounds({ rounds, warmUps, ours, bare }) {
  for (let round = 0; round < warmUps; round++) await inTurn(round)
  const measured = []
  for (let round = 0; round < rounds; round++) measured.push(await inTurn(round))
  return measured

  async function inTurn(round) {
    const first = round % 2 === 0
    const early = await (first ? ours() : bare())
    const late = await (first ? bare() : ours())
    return first ? { ours: early, bare: late } : { ours: late, bare: early }
  }
}

/** The value that this part of all values does not exceed; between two of them for a median. */
export function quantile(values, part) {
  const sorted = [...values].sort((a, b) => a - b)
  const at = part * (sorted.length - 1)
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return low + (high - low) * (at - Math.floor(at))
}
