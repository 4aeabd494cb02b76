import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import * as z from 'zod'
import { failToLoad } from '../open-files.ts'
import type { Env } from '../services.ts'
import { requireNoToken } from './auth.ts'
import { operation } from './dialect.ts'
import { baseUrlOf } from './shapes.ts'

const loadDocuments = () => import('../openapi/index.ts').catch(failToLoad)

const Document = () => z.looseObject({ openapi: z.literal('3.1.0') })

/** The documents are made on request, and the code that makes them is loaded then. */
export const documents = [
  operation('GET', '/openapi.json', {
    id: 'getContractDocument',
    summary: 'Read the OpenAPI document of the contract, under the settings of this world',
    about:
      'Makes the OpenAPI document of the contract under the settings of this world. It needs no key and no token.',
    success: 'The document.',
    auth: requireNoToken,
    answer: Document,
    handle: ({ c }) => answerDocument(c, 'contract'),
  }),
  operation('GET', '/_sandbox/openapi.json', {
    id: 'getControlDocument',
    summary: 'Read the OpenAPI document of the control API',
    about:
      'Makes the OpenAPI document that you are reading. It is the same in every world but for its URL.',
    success: 'The document.',
    answer: Document,
    handle: ({ c }) => answerDocument(c, 'control'),
  }),
]

type Kind = 'contract' | 'control'

const DOCUMENTS_MAX = 20
/** Stands for the base URL, which is another for each caller. */
const BASE_URL = 'base-url-of-the-document'

/** The bytes of a document, but for the base URL in the middle of them. */
interface KeptDocument {
  before: Buffer
  after: Buffer
  hash: string
}

const documentsKept = new Map<string, KeptDocument>()

async function answerDocument(c: Context<Env>, kind: Kind): Promise<Response> {
  const { before, after, hash } = await findDocument(c, kind)
  const url = JSON.stringify(baseUrlOf(c))
  const etag = `"${hashOf(hash, url)}"`
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-cache', etag }
  const isKnown = c.req.header('if-none-match')?.includes(etag)
  if (isKnown) return new Response(null, { status: 304, headers })
  return new Response(Buffer.concat([before, Buffer.from(url), after]), { headers })
}

function hashOf(...texts: string[]): string {
  const hash = createHash('sha1')
  for (const text of texts) hash.update(text)
  return hash.digest('base64url')
}

/** Making a document takes a while and needs no key, so each is made once for the same settings. */
async function findDocument({ env }: Context<Env>, kind: Kind): Promise<KeptDocument> {
  const { control, services } = env
  const { changedSettings, settings } = services.world
  const key = `${kind} ${JSON.stringify(changedSettings)}`
  const known = documentsKept.get(key)
  if (known) return known
  const { describeContract, describeControl } = await loadDocuments()
  const describe = kind === 'contract' ? describeContract : describeControl
  const { operations, version } = control
  const document = describe({ operations, version, settings, baseUrl: BASE_URL })
  const [before = '', after = ''] = JSON.stringify(document).split(JSON.stringify(BASE_URL))
  const hash = hashOf(before, after)
  const made = { before: Buffer.from(before), after: Buffer.from(after), hash }
  documentsKept.set(key, made)
  for (const oldest of documentsKept.keys()) {
    if (documentsKept.size <= DOCUMENTS_MAX) break
    documentsKept.delete(oldest)
  }
  return made
}
