// How sides are measured in turns.
import { stopAll } from '../helpers/sandbox.mjs'

/**
 * Measures each side once a round, so that whatever else the machine does hits all of them. The side
 * that begins changes from round to round.
 */
export async function takeTurns(sides, { rounds, warmUps = 0 }, measure) {
  const names = Object.keys(sides)
  const figures = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round < warmUps + rounds; round++) {
    for (const i of names.keys()) {
      const name = names[(round + i) % names.length]
      const figure = await measure(sides[name], name)
      if (round >= warmUps) figures[name].push(figure)
    }
  }
  return figures
}

/** The same with new processes a few times, because two starts of one build differ for good. */
export async function takeTurnsOfStarts(starts, takeAll) {
  const all = []
  for (let start = 0; start < starts; start++) {
    all.push(await takeAll())
    await stopAll()
  }
  return all[0].map((row, i) => {
    const sides = Object.keys(row.figures)
    const join = (side) => all.flatMap((rows) => rows[i].figures[side])
    return { ...row, figures: Object.fromEntries(sides.map((side) => [side, join(side)])) }
  })
}

/** Something for each build that is measured, such as `{ now, before }`. */
export async function forEachBuild(builds, make) {
  const sides = {}
  for (const [name, build] of Object.entries(builds)) sides[name] = await make(build)
  return sides
}

export async function takeTime(act) {
  const startedAt = performance.now()
  await act()
  return performance.now() - startedAt
}

export function assertSame(...sizes) {
  if (new Set(sizes).size > 1) throw new Error(`sides sent ${sizes.join(' and ')} bytes`)
}
