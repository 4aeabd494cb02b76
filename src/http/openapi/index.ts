import type { Settings } from '../../world/settings/index.ts'
import type { JsonSchema } from '../dialect.ts'
import type { OperationDescription } from '../operation-description.ts'
import { describeAssumptions } from './assumptions.ts'
import { createComponents } from './components.ts'
import { headersIn } from './headers.ts'
import { toPathItems } from './paths.ts'
import { AUTHOR, CONTRACT_ABOUT, CONTROL_ABOUT, tagsOf } from './prose.ts'
import { credentialSchemes } from './security.ts'
import { toWebhooks } from './webhooks.ts'

export interface DocumentOptions {
  /** Every operation there is; the document picks its own. */
  operations: readonly OperationDescription[]
  /** Statuses, names and the values of assumptions are those of this world. */
  settings: Settings
  baseUrl: string
  /** Of the sandbox. */
  version: string
}

export type OpenApiDocument = Readonly<Record<string, unknown>> & { openapi: '3.1.0' }

/** The provider's API as this sandbox emulates it: v2, v1 and corporate verification. */
export function describeContract(options: DocumentOptions): OpenApiDocument {
  const { settings, version } = options
  const components = createComponents(settings)
  const operations = options.operations.filter(isContract)
  const paths = toPathItems(operations, { settings, components })
  const webhooks = toWebhooks(operations, { settings, components })
  return {
    openapi: '3.1.0',
    info: { ...CONTRACT_ABOUT, ...AUTHOR, version: 'v2', 'x-sandbox-version': version },
    ...inCommon(options, paths, webhooks),
    webhooks,
    components: {
      ...components.all(),
      headers: headersIn(paths),
      securitySchemes: credentialSchemes(['apiKey', 'accessToken']),
    },
    'x-assumptions': describeAssumptions(settings),
  }
}

/** Simulating the outside world, and everything the sandbox says about itself. */
export function describeControl(options: DocumentOptions): OpenApiDocument {
  const { settings, version } = options
  const components = createComponents(settings)
  const operations = options.operations.filter((operation) => !isContract(operation))
  return {
    openapi: '3.1.0',
    info: { ...CONTROL_ABOUT, ...AUTHOR, version },
    ...inCommon(options, toPathItems(operations, { settings, components })),
    components: {
      ...components.all(),
      securitySchemes: credentialSchemes(['controlToken', 'controlCookie']),
    },
  }
}

const isContract = ({ dialect }: OperationDescription) => dialect.journalled

function inCommon({ baseUrl }: DocumentOptions, paths: JsonSchema, webhooks: JsonSchema = {}) {
  return { servers: [{ url: baseUrl }], tags: tagsOf({ ...paths, ...webhooks }), paths }
}
