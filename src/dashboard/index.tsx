import { respondWithHtml } from '../pages/document.ts'
import { decode, type PageRequest } from '../pages/request.ts'
import { showShell } from './layout.tsx'
import { findPage, Navigation } from './navigation.tsx'
import { PageHead } from './parts.tsx'
import { createView, type View } from './view.ts'

const ROOT = '/_sandbox'

/** Renders a page of the inspector; the path is that below `/_sandbox/`. */
export async function renderInspector(asked: PageRequest, place: string): Promise<Response> {
  const view = createView(asked)
  const path = place === '' ? 'timeline' : place.replace(/^ui\//, '')
  const etag = `"f${view.position}"`
  if (view.request.headers.get('if-none-match') === etag) return new Response(null, { status: 304 })
  const [part = '', id] = path.split('/')
  const entry = findPage(part)
  const page = await entry?.render?.(view, id === undefined ? undefined : decode(id))
  const navigation = <Navigation view={view} page={entry} />
  if (page) return respondWithHtml(200, await showShell(view, page, navigation))
  const body = (
    <>
      <PageHead title="Page not found" />
      <p>{await explainMissing(view, part, id)}</p>
      <a href={view.link(`${ROOT}/`)}>Go to the timeline</a>
    </>
  )
  return respondWithHtml(404, await showShell(view, { title: 'Not found', body }, navigation))
}

/** Lists whose rows may no longer be kept, with their paths in the control API. */
const JOURNALS = new Map([
  ['requests', 'requests'],
  ['actions', 'actions'],
  ['webhooks', 'webhooks/deliveries'],
])

/** Explains a dead link; for a row that is no longer kept, in the words of the control API. */
async function explainMissing(view: View, part: string, id: string | undefined): Promise<string> {
  const path = JOURNALS.get(part)
  if (path === undefined || id === undefined) return GONE
  const response = await view.call(`/_sandbox/${path}/${id}`)
  return ((await response.json()) as { detail?: string }).detail ?? GONE
}

const GONE =
  'This world has no such page. What it showed may have been removed by a reset or a restore.'
