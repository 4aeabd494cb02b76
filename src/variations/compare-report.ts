import { plural } from '../world/plural.ts'
import type { Comparison, ProviderDifference } from './compare.ts'

export type KnownDifference = Pick<ProviderDifference, 'call' | 'what' | 'provider'>

export interface ComparisonReport extends Comparison {
  against: string
  /** Differences that were accepted. */
  known: ProviderDifference[]
  /** Accepted differences that are no more. */
  gone: KnownDifference[]
  /** False if no user was named, so that only calls with the key alone were made. */
  isWhole: boolean
}

interface ReportOptions {
  against: string
  accepted: readonly KnownDifference[]
  isWhole: boolean
}

export function reportComparison(
  { differences, ...comparison }: Comparison,
  { against, accepted, isWhole }: ReportOptions,
): ComparisonReport {
  const isSame = (one: KnownDifference, other: KnownDifference) =>
    one.call === other.call && one.what === other.what && one.provider === other.provider
  const isKnown = (one: ProviderDifference) => accepted.some((other) => isSame(one, other))
  return {
    against,
    ...comparison,
    isWhole,
    differences: differences.filter((one) => !isKnown(one)),
    known: differences.filter(isKnown),
    gone: accepted.filter((one) => !differences.some((other) => isSame(one, other))),
  }
}

/** 0 without a difference, 2 with one, 1 where that could not be judged. */
export function toExitCode({ problem, differences, notCompared }: ComparisonReport): number {
  if (problem !== null) return 1
  if (differences.length > 0) return 2
  return notCompared.length > 0 ? 1 : 0
}

export function formatComparison(report: ComparisonReport): string {
  const { against, problem, compared, differences, known, gone, notCompared, isWhole } = report
  if (problem !== null) return `No verdict: ${problem}`
  const count = plural(differences.length, 'difference')
  const counts = known.length > 0 ? `${count}, ${known.length} known` : count
  return [
    ...formatDifferences(differences),
    ...gone.map(({ call, what }) => `No longer a difference: ${call}: ${what}`),
    ...notCompared.map(({ call, why }) => `Not compared: ${call} (${why})`),
    ...(isWhole ? [] : ['Not compared without --user: the login, and what belongs to a user']),
    `${plural(compared, 'call')} compared with ${against}: ${counts}`,
  ].join('\n')
}

/** A line for each difference; one that several calls have in common is said once. */
function formatDifferences(differences: readonly ProviderDifference[]): string[] {
  const calls = new Map<string, string[]>()
  for (const difference of differences) {
    const line = formatDifference(difference)
    calls.set(line, [...(calls.get(line) ?? []), difference.call])
  }
  return [...calls].map(([line, [call, ...others]]) => {
    const more = others.length > 0 ? ` (and ${plural(others.length, 'other call')})` : ''
    return `${call}${more}: ${line}`
  })
}

function formatDifference({ what, provider, sandbox, set }: ProviderDifference): string {
  const option = set === undefined ? '' : `   --set ${set}`
  if (provider === undefined) return `${what} is missing from the provider’s response${option}`
  if (sandbox !== undefined) return `${what} is ${provider}, not ${sandbox}${option}`
  return `${what} is ${provider}, but missing from the sandbox${option}`
}
