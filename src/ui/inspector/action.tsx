import type { ComponentChildren } from 'preact'
import { useRead } from '../lib/live.ts'
import { Badge, Card, DetailHead, Gone, HttpStatus, JsonCard, Time } from '../lib/parts.tsx'
import { id } from '../lib/router.ts'
import { aboutFields, Effects, KIND_WORDS } from './entries.tsx'

/** The page of one action: a simulation, a move of the clock, a change or a scheduled task. */
export const Action = () => {
  const path = id.value && `/actions/${id.value}`
  const { data: found, error } = useRead<'actions.get'>(path)
  if (!path) return <Gone text="The timeline lists all actions." />
  if (error) return <Gone text={error.message} all="timeline" />
  if (!found) return null
  const { kind, operation, input, at, until, status, problem } = found
  const badge: ComponentChildren =
    status >= 400 ? (
      <HttpStatus status={status} />
    ) : (
      <Badge status={KIND_WORDS[kind]} tone="quiet" />
    )
  return (
    <article class="alone" aria-label="Selected action">
      <DetailHead title={found.title} badge={badge} at={at} id={found.id} noun="action">
        {until > at && (
          <span>
            to <Time at={until} />
          </span>
        )}
        <code>{operation}</code>
      </DetailHead>
      {problem && <p class="reason">{problem}</p>}
      <Card title="About" fields={aboutFields(found)} />
      <Effects row={found} />
      <JsonCard title="Input" value={input === '{}' ? '' : input} />
    </article>
  )
}
