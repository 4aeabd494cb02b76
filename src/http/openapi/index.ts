import type { JsonSchema } from '../../control-api/schema.ts'
import {
  type Credential,
  type OperationDescription,
  TOKEN_COOKIE,
} from '../operation-description.ts'
import { headersIn, toPathItems, toWebhooks } from './operations.ts'
import { createComponents } from './schemas.ts'
import { tagsOf } from './tags.ts'

export interface DocumentOptions {
  /** Operations of all dialects; each document picks its own. */
  operations: readonly OperationDescription[]
  baseUrl: string
  version: string
}

export type OpenApiDocument = Readonly<Record<string, unknown>> & { openapi: '3.1.0' }

/** The provider's API as this sandbox emulates it: v2, v1 and corporate verification. */
export function describeContract(options: DocumentOptions): OpenApiDocument {
  const { version } = options
  const components = createComponents()
  const operations = options.operations.filter(isContract)
  const paths = toPathItems(operations, components)
  const webhooks = toWebhooks(operations, components)
  return {
    openapi: '3.1.0',
    info: { ...CONTRACT_ABOUT, ...AUTHOR, version: 'v2', 'x-sandbox-version': version },
    ...inCommon(options, paths, webhooks),
    webhooks,
    components: {
      ...components.all(paths, webhooks),
      headers: headersIn(paths),
      securitySchemes: schemesOf('apiKey', 'accessToken'),
    },
  }
}

/** Simulating the outside world, and everything the sandbox says about itself. */
export function describeControl(options: DocumentOptions): OpenApiDocument {
  const { version } = options
  const components = createComponents()
  const operations = options.operations.filter((operation) => !isContract(operation))
  const paths = toPathItems(operations, components)
  return {
    openapi: '3.1.0',
    info: { ...CONTROL_ABOUT, ...AUTHOR, version },
    ...inCommon(options, paths),
    components: {
      ...components.all(paths),
      securitySchemes: schemesOf('controlToken', 'controlCookie'),
    },
  }
}

const isContract = ({ dialect }: OperationDescription) => dialect.isContract

function inCommon({ baseUrl }: DocumentOptions, paths: JsonSchema, webhooks: JsonSchema = {}) {
  return { servers: [{ url: baseUrl }], tags: tagsOf({ ...paths, ...webhooks }), paths }
}

const CONTRACT_ABOUT = {
  title: 'Stablecoin Ramp Platform API, as ramp-sandbox emulates it',
  description: `The provider's API: v2, the legacy v1, and corporate verification. It is generated from
the schemas that the sandbox validates with, and describes a sandbox with default settings.

Where the contract leaves something open, a setting decides. Each operation names its settings, and
\`GET /_sandbox/settings\` lists them all with their values; \`status.<code>\` is the status of an error.

In a body, null for an optional field is the same as leaving it out.

Not described, because they belong to no operation: 404 for a path that does not exist (its header
\`x-sandbox-hint\` says \`not emulated\`), 405 with \`Allow\` for another method, the response of an
injected fault, and 507 where a change is not yet on disk or the world is full. To see why a call was rejected,
read \`/_sandbox/requests/{id}\`; the id is in the \`x-sandbox-request\` header.`,
}

const CONTROL_ABOUT = {
  title: 'The control API of ramp-sandbox',
  description: `Everything that a test can control (time, identity checks, money, faults) or read about the sandbox.
Errors are problem+json with a stable \`code\`. Unknown fields are rejected. Lengths of time are \`PT1H\`,
\`500ms\`, \`90s\`, \`10m\`, \`1h\`, \`2d\` or a number of ms; instants are ISO 8601 in UTC.
Null for an optional field is the same as leaving it out, unless the field’s description says otherwise.

For another world, put \`/w/{name}\` in front of every path.`,
}

const AUTHOR = {
  contact: { name: 'The ramp-sandbox authors' },
  license: { name: 'MIT', identifier: 'MIT' },
}

const SCHEMES: Readonly<Record<Credential, JsonSchema>> = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: "The integrator's key (contract, Authentication: 1).",
  },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The token of a user who logged in (contract, Authentication: 2).',
  },
  controlToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'Only if the sandbox has a control token.',
  },
  controlCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: TOKEN_COOKIE,
    description: 'The same token, in the inspector’s cookie.',
  },
}

const schemesOf = (...names: Credential[]): JsonSchema =>
  Object.fromEntries(names.map((name) => [name, SCHEMES[name]]))
