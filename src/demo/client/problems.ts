import { SandboxError } from '../../client/error.ts'
import { state } from './store.ts'
import type { WordKey } from './words.ts'

/**
 * What a customer reads of an error, and the field that the answer names; the API's own message is
 * in the server's column.
 */
export function toProblem(error: unknown): { problem: WordKey; field: string } {
  if (!(error instanceof SandboxError)) return { problem: 'problemOther', field: '' }
  const { status = 0, code } = error
  const field = error.problems[0]?.field ?? ''
  const isDown = code === 'unreachable' || status >= 500 || status === 429
  if (isDown) return { problem: 'problemService', field }
  if (status === 401 && state.token !== '') return { problem: 'problemSession', field }
  return { problem: BY_FIELD[field] ?? byScreen(field), field }
}

const BY_FIELD: Readonly<Record<string, WordKey>> = {
  code: 'problemCode',
  leftSideValue: 'problemLimit',
  transactions: 'problemOpen',
  quoteId: 'problemRate',
  txId: 'problemCancel',
}

function byScreen(field: string): WordKey {
  if (state.screen === 'welcome' || state.screen === 'profile') {
    return field === 'email' && state.screen === 'profile' ? 'problemKnown' : 'problemForm'
  }
  return 'problemOther'
}
