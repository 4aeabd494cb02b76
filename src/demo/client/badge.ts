/** The colour of a transaction's status. */
export function badgeTone(status: string): string {
  if (status.startsWith('pending')) return 'warn'
  if (status === 'complete') return 'good'
  if (status === 'expired') return 'bad'
  return status.startsWith('cancel') ? 'quiet' : 'busy'
}
