import type { Cue, Played, PlayedDelivery, PlayProblem } from '../http/plays.ts'
import { SETTING_UP } from '../scenario/types.ts'
import type { TimedPlay } from './junit.ts'

export interface ReporterOptions {
  /** Where the integrator wants events to go; each one that went there is told of. */
  webhookUrl: string | null
  isSilent: boolean
}

/** Tells a person how a play goes, as it goes. */
export interface Reporter {
  begin(name: string): void
  hear(cue: Cue): void
  end(played: Played): void
  sum(plays: readonly TimedPlay[]): void
}

export function createReporter({ webhookUrl, isSilent }: ReporterOptions): Reporter {
  let told = 0
  return {
    begin(name) {
      told = 0
      say(name)
    },
    hear(cue) {
      if (cue.kind === 'ready' && webhookUrl !== null) say(`  signed with ${cue.secret}`)
      if (cue.kind !== 'passed' || cue.step.title === SETTING_UP) return
      told++
      say(`  ✓ ${cue.step.title}`)
      for (const delivery of cue.step.deliveries) {
        if (webhookUrl !== null && delivery.url === webhookUrl) {
          say(`    ${formatDelivery(delivery)}`)
        }
      }
    },
    end({ steps, problem }) {
      if (problem === null) return say('')
      // A thread that never lets go does not get to say what passed before.
      const begun = steps.filter(({ title }) => title !== SETTING_UP).slice(told, -1)
      for (const { title } of begun) say(`  ✓ ${title}`)
      say(`${formatProblem(problem)}\n`)
    },
    sum(plays) {
      const count = (outcome: string) =>
        plays.filter(({ played }) => played.outcome === outcome).length
      const parts = ['failed', 'broken'].filter((outcome) => count(outcome) > 0)
      const passed = `${count('passed')} of ${plays.length} passed`
      say([passed, ...parts.map((outcome) => `${count(outcome)} ${outcome}`)].join(', '))
    },
  }

  function say(text: string) {
    if (!isSilent) process.stdout.write(`${text}\n`)
  }
}

/** The problem of a play in a few lines: the step, what went wrong, and what differs. */
export function formatProblem({ step, message, differences, at }: PlayProblem): string {
  const what = at === '' ? message : `${message} (${at})`
  const [head, ...lines] = step === null ? [what, ...differences] : [step, what, ...differences]
  return [`  ✗ ${head}`, ...lines.map((line) => `    ${line}`)].join('\n')
}

function formatDelivery({ hook, request, outcome, response, error }: PlayedDelivery): string {
  const { type, payload, status } = request.body ?? {}
  const event = `${hook ?? type} ${payload?.status ?? status ?? ''}`
  if (outcome === 'delivered') return `→ ${event}: acknowledged with ${response?.status}`
  const came = response ? `answered ${response.status}` : (error ?? '')
  return `✗ ${event}: not acknowledged, ${outcome}, ${came}`
}
