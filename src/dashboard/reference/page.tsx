import { plural } from '../format.ts'
import { Empty } from '../parts.tsx'
import { createMatcher } from '../rows.ts'
import { SearchForm, Split } from '../split.tsx'
import type { RenderPage, View } from '../view.ts'
import { type Reference, type ReferenceOperation, readReference } from './documents.ts'
import { Method, OperationDetail } from './operation.tsx'

const TITLE = 'Reference'

/** Every operation of the two documents, and one of them in full. */
export const reference: RenderPage = async (view, id) => {
  const all = await readReference(view)
  const chosen = id === undefined ? undefined : all.byId.get(id)
  if (id !== undefined && !chosen) return undefined
  return {
    title: chosen ? `${chosen.id} · ${TITLE}` : TITLE,
    part: TITLE,
    body: <Operations view={view} reference={all} chosen={chosen} />,
  }
}

interface OperationsProps {
  view: View
  reference: Reference
  chosen: ReferenceOperation | undefined
}

const Operations = ({ view, reference: { groups, byId }, chosen }: OperationsProps) => {
  const hasWords = createMatcher(view.query.get('q'))
  const shown = groups
    .map((group) => ({
      ...group,
      operations: group.operations.filter((one) => !hasWords || hasWords(textsOf(one))),
    }))
    .filter(({ operations }) => operations.length > 0)
  return (
    <Split
      view={view}
      name="reference"
      title={TITLE}
      noun="operation"
      count={plural(byId.size, 'operation')}
      aside={<Documents view={view} />}
      back={{ href: pageOf(view), text: 'All operations' }}
      detail={chosen && <OperationDetail view={view} operation={chosen} />}
    >
      <SearchForm
        view={view}
        name="reference"
        label="Find an operation"
        action={view.link(`/_sandbox/reference${chosen ? `/${chosen.id}` : ''}`)}
      />
      {shown.map(({ document, name, about, operations }) => (
        <section class="operations">
          <h2>{document === 'API' ? name : `${document}: ${name}`}</h2>
          <p class="hint">{about}</p>
          <ul>
            {operations.map((operation) => (
              <OperationLink view={view} operation={operation} isChosen={operation === chosen} />
            ))}
          </ul>
        </section>
      ))}
      {shown.length === 0 && (
        <Empty title="No operation matches.">
          <a href={view.link('/_sandbox/reference')}>Show all</a>
        </Empty>
      )}
    </Split>
  )
}

const textsOf = ({ id, method, path, summary }: ReferenceOperation) => [id, method, path, summary]

/** The list with its search, or one operation beside it. */
function pageOf(view: View, id?: string): string {
  const words = view.query.get('q')
  const path = `/_sandbox/reference${id === undefined ? '' : `/${id}`}`
  return view.link(words ? `${path}?${new URLSearchParams({ q: words })}` : path)
}

interface LinkProps {
  view: View
  operation: ReferenceOperation
  isChosen: boolean
}

const OperationLink = ({ view, operation, isChosen }: LinkProps) => (
  <li>
    <a
      class="row-link"
      id={`row-${operation.id}`}
      href={pageOf(view, operation.id)}
      aria-current={isChosen ? 'true' : undefined}
    >
      <span class="line">
        <Method method={operation.isWebhook ? 'EVENT' : operation.method} />
        <code>{operation.path}</code>
      </span>
      <span class="quiet">{operation.summary}</span>
    </a>
  </li>
)

const Documents = ({ view }: { view: View }) => (
  <span class="quiet">
    {'OpenAPI: '}
    <a href={view.link('/openapi.json')} target="_blank" rel="noopener">
      API
    </a>
    {', '}
    <a href={view.link('/_sandbox/openapi.json')} target="_blank" rel="noopener">
      control API
    </a>
  </span>
)
