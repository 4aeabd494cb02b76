import { Badge, Time } from '../lib/parts.tsx'

interface HistoryProps {
  of: readonly { status: string; at: string }[]
}

/** Past statuses in a row, the present one last. */
export const History = ({ of }: HistoryProps) => (
  <ol class="history" aria-label="Statuses so far">
    {of.map(({ status, at }, index) => (
      <li key={at + status} aria-current={index === of.length - 1 ? 'step' : undefined}>
        <Badge status={status} /> <Time at={at} short />
      </li>
    ))}
  </ol>
)
