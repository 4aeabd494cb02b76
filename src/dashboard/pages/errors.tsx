import type { CallProblem, CallRecord } from '../../engine/request-journal.ts'
import { formatNumber, plural } from '../format.ts'
import { Card, Empty, PageHead, Time } from '../parts.tsx'
import { journalRows, newest } from '../rows.ts'
import { formatPath, StatusBadge } from '../timeline/marks.tsx'
import type { RenderPage, View } from '../view.ts'

/** Refused calls of one operation for one reason. */
interface Group {
  count: number
  last: CallRecord
  problem: CallProblem
}

/** Refused calls by operation and reason, the latest first. */
export const errors: RenderPage = (view) => {
  const groups = findGroups(view)
  const count = groups.reduce((sum, group) => sum + group.count, 0)
  return {
    title: 'Errors',
    body: (
      <>
        <PageHead title="Errors" count={count > 0 ? plural(count, 'refused call') : ''} />
        {groups.length === 0 ? (
          <Empty title="No call was refused.">
            <p>A call that is refused shows up here, with the reason and what would have worked.</p>
          </Empty>
        ) : (
          <Card title={plural(groups.length, 'reason')}>
            <ol class="causes flush">
              {groups.map((group) => (
                <GroupRow view={view} group={group} />
              ))}
            </ol>
          </Card>
        )}
      </>
    ),
  }
}

const GroupRow = ({ view, group }: { view: View; group: Group }) => {
  const { count, last, problem } = group
  const { hint, rule } = problem.detail
  return (
    <li class="cause">
      <div class="cause-line">
        <b class="times">{formatNumber(count)}×</b>
        <span class="what">
          <span class="verb">{last.method}</span>{' '}
          <code>{formatPath(last, view).split('?')[0]}</code>
        </span>
        <span class="who">
          <a href={view.page(`requests/${last.id}`)}>Example</a>
          <span class="quiet">
            last at <Time at={last.at} now={view.world.now} />
          </span>
        </span>
        <span class="out">
          <StatusBadge status={last.status} />
        </span>
      </div>
      <p class="why">
        {problem.message} {hint && <span class="quiet">{hint}</span>}
      </p>
      {rule && <p class="why quiet">In the contract: {rule}</p>}
    </li>
  )
}

function findGroups({ services: { requests } }: View): Group[] {
  const groups = new Map<string, Group>()
  for (const last of newest(journalRows(requests), requests.max)) {
    const { problem, operation, status, method } = last
    if (!problem) continue
    const key = `${operation ?? method} ${status} ${reasonOf(problem)}`
    const known = groups.get(key)
    if (known) known.count++
    else groups.set(key, { count: 1, last, problem })
  }
  return [...groups.values()]
}

/** Messages hold values, such as ids and amounts, in which the same reason may differ. */
function reasonOf({ code, problems, message }: CallProblem): string {
  const fields = problems.map(({ field }) => field)
  const words = message.replace(/[^\s]*\d[^\s]*/g, '#')
  return `${code} ${fields} ${words}`
}
