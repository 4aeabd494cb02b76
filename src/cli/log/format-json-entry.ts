import { withoutCredentials } from '../../http/control/requests.ts'
import type { Services } from '../../http/services.ts'
import { formatInstant } from '../../world/duration.ts'
import { emailOf, type LogEntry, type LogSubject, pathOf } from './entry.ts'

/** An entry as one line of JSON. Bodies are left out; the control API has them under the id. */
export function formatJsonEntry({ at, services, subject }: LogEntry): string {
  const { kind: event } = subject
  const when = { at: new Date(at).toISOString(), world: services.name }
  return JSON.stringify({ event, ...when, ...present(services, subject) })
}

function present(services: Services, { kind, row }: LogSubject): object {
  switch (kind) {
    case 'request': {
      const { id, method, operation, integrator, status, durationMs, problem, notes } = row
      const path = withoutCredentials(pathOf(row.url))
      const user = emailOf(services, row)
      const { message, problems = [], detail } = problem ?? {}
      const why = problems.map((each) => ({ field: each.field, message: each.message }))
      const reason = problem && { message, hint: detail?.hint ?? null, problems: why }
      const call = { id, method, path, operation, integrator, user, status, durationMs }
      return { ...call, reason, notes }
    }
    case 'delivery': {
      const { id, eventId, type, ref, status, generation, hook, url, outcome } = row
      const { reason, error, durationMs, response } = row
      const what = { id, eventId, type, ref, status, generation, hook, url, outcome }
      return { ...what, answered: response?.status ?? null, error, reason, durationMs }
    }
    case 'message': {
      const { id, to, kind: about, subject, code, ref } = row
      return { id, to, kind: about, subject, code, ref }
    }
    case 'action': {
      const { id, kind: about, operation, subject, input, status, problem } = row
      return { id, kind: about, operation, subject, input, status, problem }
    }
    case 'clock':
      return { now: formatInstant(row.now), mode: row.mode }
    default:
      return row
  }
}
