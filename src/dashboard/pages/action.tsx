import { findInJournal } from '../../http/control/page.ts'
import { Json } from '../json.tsx'
import { Badge, Card, DetailHead, Fields, Id, Time } from '../parts.tsx'
import { Effects } from '../timeline/effects.tsx'
import { aboutRows, StatusBadge } from '../timeline/marks.tsx'
import { formatAction, KIND_WORDS } from '../timeline/words.ts'
import type { RenderPage } from '../view.ts'

/** One simulation, move of the clock, change or scheduled task, with what it caused. */
export const action: RenderPage = (view, id = '') => {
  const found = findInJournal(view.services.timeline.actions, 'act', id)
  if (!found) return undefined
  const { kind, operation, input, at, until, status, problem } = found
  const about = aboutRows(view, found)
  const title = formatAction(found, view.world)
  return {
    title,
    part: 'Overview',
    body: (
      <article class="alone" aria-label="Chosen action">
        <DetailHead
          title={title}
          badge={
            status < 400 ? (
              <Badge status={KIND_WORDS[kind]} tone="quiet" />
            ) : (
              <StatusBadge status={status} />
            )
          }
        >
          <Time at={at} />
          {until > at && (
            <span>
              to <Time at={until} />
            </span>
          )}
          <Id id={found.id} what="the action's id" />
          <code>{operation}</code>
        </DetailHead>
        {problem && <p class="reason">{problem}</p>}
        {about.User && (
          <Card title="About">
            <Fields rows={about} />
          </Card>
        )}
        <Effects view={view} entry={found} />
        {input && input !== '{}' && (
          <Card title="Input">
            <Json text={input} what="the input" />
          </Card>
        )}
      </article>
    ),
  }
}
