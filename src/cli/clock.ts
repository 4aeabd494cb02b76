import type { Advanced, ClockState } from '../http/control/wire.ts'
import { parseInstant } from '../world/duration.ts'
import { formatAdvanced, formatClock } from './control-format.ts'
import { invalid } from './option-values.ts'
import { createRemote, post, type RemoteCall } from './remote.ts'

export const clock = createRemote({
  name: 'clock',
  about:
    'clock                     show world time and what is scheduled\n' +
    'clock advance 1h          move it forward by a length, to an instant, or to what is scheduled `next`\n' +
    'clock freeze [INSTANT]    stop it\n' +
    'clock resume              let it follow the wall clock',
  words: ['[show|advance|freeze|resume]', '[LENGTH|INSTANT|next]'],
  call: ({ words: [action = 'show', when] }) => toClockCall(action, when),
  format: (answer: ClockState | Advanced) =>
    'mode' in answer ? formatClock(answer) : formatAdvanced(answer),
})

function toClockCall(action: string, when: string | undefined): RemoteCall {
  if (action === 'show' && when === undefined) return { method: 'GET', path: '/clock' }
  if (action === 'advance' && when !== undefined) return post('/clock/advance', toTarget(when))
  if (action === 'freeze') return post('/clock/freeze', { at: when })
  if (action === 'resume' && when === undefined) return post('/clock/resume')
  const hint = 'ramp-sandbox clock --help shows what it takes.'
  const message =
    action === 'advance'
      ? 'clock advance needs a length such as 1h, an instant, or next.'
      : `clock does not take ${[action, when].filter(Boolean).join(' ')}.`
  throw invalid('clock', message, hint)
}

function toTarget(when: string) {
  if (when === 'next') return { toNext: true }
  return parseInstant(when) === undefined ? { by: when } : { to: when }
}
