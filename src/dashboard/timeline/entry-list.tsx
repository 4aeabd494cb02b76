import type { CallRecord } from '../../engine/request-journal.ts'
import type { Action } from '../../engine/timeline.ts'
import { formatTook } from '../format.ts'
import { Time } from '../parts.tsx'
import type { View } from '../view.ts'
import { EffectList } from './effects.tsx'
import { type About, aboutEntry, formatAmount, type TimelineEntry } from './entries.ts'
import { formatPath, StatusBadge, Who } from './marks.tsx'
import { formatAction, KIND_WORDS } from './words.ts'

/** Effects that are shown below one entry of a list. */
const EFFECTS_SHOWN = 10

interface ListProps {
  view: View
  entries: readonly TimelineEntry[]
  /** What the page is about, which its entries need not repeat. */
  known?: Partial<About>
}

/** Entries, newest first, with what each caused. */
export const EntryList = ({ view, entries, known = {} }: ListProps) => (
  <ol class="causes flush">
    {entries.map((entry) => (
      <EntryRow view={view} entry={entry} known={known} />
    ))}
  </ol>
)

interface RowProps {
  view: View
  entry: TimelineEntry
  known: Partial<About>
}

const EntryRow = ({ view, entry, known }: RowProps) => {
  const about = aboutEntry(view, entry)
  const { user, transaction } = about
  const isKnown = transaction !== undefined && transaction === known.transaction
  return (
    <li id={`entry-${entry.id}`} class="cause">
      <div class="cause-line">
        <Time at={entry.at} now={view.world.now} />
        {entry.kind === 'call' ? (
          <CallLink view={view} call={entry} />
        ) : (
          <ActionLink view={view} action={entry} />
        )}
        <Who
          view={view}
          about={{ transaction, user: user === known.user ? undefined : user }}
          amount={isKnown ? '' : formatAmount(about, entry)}
        />
        <Result entry={entry} />
      </div>
      <Reason entry={entry} />
      <EffectList view={view} entry={entry} about={about} most={EFFECTS_SHOWN} />
    </li>
  )
}

const CallLink = ({ view, call }: { view: View; call: CallRecord }) => (
  <a class="what" href={view.page(`requests/${call.id}`)} title={call.operation ?? call.url}>
    <span class="verb">{call.method}</span> <Path view={view} call={call} />
  </a>
)

const Path = ({ view, call }: { view: View; call: CallRecord }) => {
  const [path, query] = formatPath(call, view).split('?')
  return (
    <code>
      {path}
      {query && <span class="quiet">?{query}</span>}
    </code>
  )
}

const ActionLink = ({ view, action }: { view: View; action: Action }) => {
  const text = formatAction(action, view.world)
  return (
    <a class="what" href={view.page(`actions/${action.id}`)} title={action.operation}>
      <span class={`verb ${action.kind}`}>{KIND_WORDS[action.kind]}</span> {text}
    </a>
  )
}

const Result = ({ entry }: { entry: TimelineEntry }) => {
  const { status } = entry
  if (entry.kind !== 'call' && status < 400) return <span class="out" />
  return (
    <span class="out">
      {entry.kind === 'call' && <span class="quiet">{formatTook(entry)}</span>}
      <StatusBadge status={status} />
    </span>
  )
}

/** Why it was refused, and what would have worked. */
const Reason = ({ entry }: { entry: TimelineEntry }) => {
  if (entry.status < 400) return null
  const { problem } = entry
  const { message, hint = '' } =
    typeof problem === 'string' ? { message: problem } : toSentences(problem)
  return (
    <p class="why">
      {message} {hint && <span class="quiet">{hint}</span>}
    </p>
  )
}

const toSentences = (problem: CallRecord['problem']) => ({
  message: problem?.message ?? '',
  hint: problem?.detail.hint ?? '',
})
