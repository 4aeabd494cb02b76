import type { PlayEvent, Played, PlayedDelivery, PlayProblem } from '../control-api/plays.ts'
import { SETTING_UP } from '../scenario/types.ts'
import type { JunitCase } from './junit.ts'
import { toPrintableLines } from './terminal.ts'

export interface TimedPlay {
  played: Played
  ms: number
}

/** Each event that was sent to the webhook URL of the integrator gets a line. */
export function createReporter(webhookUrl: string | null, { isSilent }: { isSilent: boolean }) {
  return {
    begin(name: string) {
      say(name)
    },
    follow(event: PlayEvent) {
      if (event.kind === 'ready' && webhookUrl !== null) say(`  signed with ${event.secret}`)
      if (event.kind !== 'passed' || event.step.title === SETTING_UP) return
      say(`  ✓ ${event.step.title}`)
      const sent = event.step.deliveries.filter(({ url }) => url !== null && url === webhookUrl)
      for (const delivery of sent) say(`    ${formatDelivery(delivery)}`)
    },
    end(played: Played) {
      const { problem } = played
      if (webhookUrl !== null && problem === null && !sends(played, webhookUrl)) {
        say(`  no webhooks were sent to ${webhookUrl}`)
      }
      if (problem === null) return say('')
      say(`${formatProblem(problem)}\n`)
    },
    sum(plays: readonly TimedPlay[]) {
      const count = (outcome: string) =>
        plays.filter(({ played }) => played.outcome === outcome).length
      const parts = [
        `${count('passed')} of ${plays.length} passed`,
        ...(count('failed') > 0 ? [`${count('failed')} failed`] : []),
        ...(count('broken') > 0 ? [`${count('broken')} could not be played`] : []),
      ]
      say(parts.join(', '))
    },
  }

  function say(text: string) {
    if (!isSilent) process.stdout.write(`${toPrintableLines(text)}\n`)
  }
}

/** True where at least one webhook of a scenario was meant for this URL. */
export const sends = ({ steps }: Played, webhookUrl: string): boolean =>
  steps.some(({ deliveries }) => deliveries.some(({ url }) => url === webhookUrl))

/** The problem of a play in a few lines: the step, what went wrong, and what differs. */
function formatProblem({ step, message, differences, at }: PlayProblem): string {
  const what = at === '' ? message : `${message} (${at})`
  const [head, ...lines] = step === null ? [what, ...differences] : [step, what, ...differences]
  return [`  ✗ ${head}`, ...lines.map((line) => `    ${line}`)].join('\n')
}

function formatDelivery({ event, status, outcome, response, error }: PlayedDelivery): string {
  if (outcome === 'delivered') return `→ ${event} ${status}: acknowledged with ${response?.status}`
  const why = response ? `responded with ${response.status}` : (error ?? outcome)
  return `✗ ${event} ${status}: not acknowledged (${why})`
}

export const toJunitCase = ({
  played: { name, outcome, problem, steps },
  ms,
}: TimedPlay): JunitCase => ({
  name,
  ms,
  result: JUNIT_RESULTS[outcome],
  ...(problem && { message: problem.message, detail: formatProblem(problem) }),
  out: steps.map(({ title }) => title).join('\n'),
})

const JUNIT_RESULTS = { passed: 'passed', failed: 'failure', broken: 'error' } as const
