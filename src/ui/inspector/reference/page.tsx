import { useEffect } from 'preact/hooks'
import { FilterForm, Find } from '../../lib/filters.tsx'
import { NoMatch, Split } from '../../lib/list.tsx'
import { world } from '../../lib/page.ts'
import { Empty, Gone, Quiet, useTitle } from '../../lib/parts.tsx'
import { id, query, urlOf } from '../../lib/router.ts'
import { type Operation, useDocument } from './document.ts'
import { Method, OperationDetail } from './operation.tsx'

/** Every operation of the contract and of the control API, with a form that makes the call. */
export const Reference = () => {
  const { groups, isRead, error } = useGroups()
  const all = groups.flatMap(({ operations }) => operations)
  const chosen = all.find((operation) => operation.id === id.value)
  useTitle(chosen ? undefined : 'Reference')
  useEffect(() => {
    document.getElementById(`row-${chosen?.id}`)?.scrollIntoView({ block: 'nearest' })
  }, [chosen?.id, isRead])
  if (isRead && id.value !== undefined && !chosen) {
    return <Gone text={`There is no operation ${id.value}.`} />
  }
  return (
    <Split
      name="reference"
      title="Reference"
      noun="operation"
      count={isRead ? all.length : undefined}
      aside={
        <span class="quiet">
          {'OpenAPI: '}
          <DocumentLink path={CONTRACT} text="API" />
          {', '}
          <DocumentLink path={CONTROL} text="control API" />
        </span>
      }
      chosen={chosen && <OperationDetail key={chosen.id} operation={chosen} />}
    >
      <FilterForm>
        <Find id="find-reference" label="Find an operation" />
      </FilterForm>
      {error && <Empty title={error} />}
      {isRead && <Groups of={groups} chosen={chosen} />}
    </Split>
  )
}

const CONTRACT = '/openapi.json'
const CONTROL = '/_sandbox/openapi.json'

function useGroups() {
  const contract = useDocument(CONTRACT)
  const control = useDocument(CONTROL)
  const ofControl = (control.groups ?? []).map((group) => ({
    ...group,
    name: `Control API: ${group.name}`,
  }))
  return {
    groups: [...(contract.groups ?? []), ...ofControl],
    isRead: contract.groups !== undefined && control.groups !== undefined,
    error: contract.error ?? control.error,
  }
}

interface GroupsProps {
  of: ReturnType<typeof useGroups>['groups']
  chosen: Operation | undefined
}

const Groups = ({ of, chosen }: GroupsProps) => {
  const words = (query.value.get('q') ?? '').toLowerCase().split(/\s+/)
  const isFound = ({ id, method, path, summary }: Operation) => {
    const text = [id, method, path, summary].join('\n').toLowerCase()
    return words.every((word) => text.includes(word))
  }
  const shown = of
    .map((group) => ({ ...group, operations: group.operations.filter(isFound) }))
    .filter(({ operations }) => operations.length > 0)
  if (shown.length === 0) {
    return <NoMatch name="reference" title="No operations match." />
  }
  return shown.map(({ name, about, operations }) => (
    <section key={name} class="operations">
      <h2>{name}</h2>
      <p class="hint">{about}</p>
      <ul>
        {operations.map((operation) => (
          <Row key={operation.id} of={operation} isChosen={operation === chosen} />
        ))}
      </ul>
    </section>
  ))
}

const DocumentLink = ({ path, text }: { path: string; text: string }) => (
  <a href={`${world.prefix}${path}`} target="_blank" rel="noopener">
    {text}
  </a>
)

const Row = ({
  of: { id, method, path, summary },
  isChosen,
}: {
  of: Operation
  isChosen: boolean
}) => (
  <li>
    <a
      class="row-link"
      id={`row-${id}`}
      href={urlOf(`reference/${id}`, query.value)}
      aria-current={isChosen ? 'true' : undefined}
    >
      <span class="line">
        <Method method={method} />
        <code>{path}</code>
      </span>
      <Quiet text={summary} />
    </a>
  </li>
)
