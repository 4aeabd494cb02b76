import { plural } from '../format.ts'
import { Empty } from '../parts.tsx'
import { createMatcher } from '../rows.ts'
import { SearchForm, Split } from '../split.tsx'
import type { RenderPage, View } from '../view.ts'
import { type ReferenceOperation, readReference } from './documents.ts'
import { Method, showOperation } from './operation.tsx'

const TITLE = 'Reference'

export const reference: RenderPage = async (view, id) => {
  const { groups, byId } = await readReference(view)
  const chosen = id === undefined ? undefined : byId.get(id)
  if (id !== undefined && !chosen) return undefined
  const hasWords = createMatcher(view.query.get('q'))
  const shown = groups
    .map((group) => ({
      ...group,
      operations: group.operations.filter(
        ({ id, method, path, said }) => !hasWords || hasWords([id, method, path, said.summary]),
      ),
    }))
    .filter(({ operations }) => operations.length > 0)
  const body = (
    <Split
      title={TITLE}
      noun="operation"
      count={plural(byId.size, 'operation')}
      aside={
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
      }
      back={pageOf(view)}
      detail={chosen && showOperation(view, chosen)}
    >
      <SearchForm
        view={view}
        name="reference"
        label="Find an operation"
        action={view.link(`/_sandbox/reference${chosen ? `/${chosen.id}` : ''}`)}
      />
      {shown.map(({ name, about, operations }) => (
        <section class="operations">
          <h2>{name}</h2>
          <p class="hint">{about}</p>
          <ul>{operations.map((operation) => showLink(view, operation, operation === chosen))}</ul>
        </section>
      ))}
      {shown.length === 0 && (
        <Empty title="No operation matches.">
          <a href={view.link('/_sandbox/reference')}>Show all</a>
        </Empty>
      )}
    </Split>
  )
  return { title: chosen ? `${chosen.id} · ${TITLE}` : TITLE, body }
}

function pageOf(view: View, id?: string): string {
  const words = view.query.get('q')
  const path = `/_sandbox/reference${id === undefined ? '' : `/${id}`}`
  return view.link(words ? `${path}?${new URLSearchParams({ q: words })}` : path)
}

const showLink = (view: View, operation: ReferenceOperation, isChosen: boolean) => (
  <li>
    <a
      class="row-link"
      id={`row-${operation.id}`}
      href={pageOf(view, operation.id)}
      aria-current={isChosen ? 'true' : undefined}
    >
      <span class="line">
        <Method method={operation.method} />
        <code>{operation.path}</code>
      </span>
      <span class="quiet">{operation.said.summary}</span>
    </a>
  </li>
)
