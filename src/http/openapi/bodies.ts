import { isRefused } from '../../world/settings/errors.ts'
import type { Settings } from '../../world/settings/index.ts'
import { namesIn as listed } from '../../world/settings/setting.ts'
import type { JsonSchema } from '../dialect.ts'
import type { OperationDescription } from '../operation-description.ts'

type Follow = (body: JsonSchema, settings: Settings) => JsonSchema

/** Bodies whose fields depend on settings, by operation. */
const FOLLOW: Readonly<Record<string, Follow>> = {
  createUser(body, settings) {
    return {
      ...body,
      required: [...new Set(['email', ...listed(settings['users.create.required'])])],
    }
  },
  createTransaction(body, settings) {
    const limited = limitSessionId(withoutUserId(body, settings), settings)
    if (settings['transactions.required'] === 'priced') return limited
    return { ...limited, required: [...(body.required as string[]), 'externalSessionId'] }
  },
  v1CreateTransaction: limitSessionId,
  putWebhookConfiguration: describeUrls,
  v1PatchWebhooks: describeUrls,
  importKyc(body, settings) {
    const accepted = settings['kyc.import.body']
    if (accepted !== 'either') return withOnly(body, accepted)
    return { anyOf: ['shareToken', 'share_token'].map((name) => withOnly(body, name)) }
  },
}

export function followSettings(
  { id, dialect, checksUnknownFields = dialect.checksUnknownFields }: OperationDescription,
  body: JsonSchema,
  settings: Settings,
): JsonSchema {
  const followed = FOLLOW[id]?.(body, settings) ?? body
  const isStrict = checksUnknownFields && isRefused(settings, 'unknown-field')
  return isStrict ? close(followed) : followed
}

/** The body names a user only where a setting lets callers without a token do so. */
function withoutUserId(body: JsonSchema, settings: Settings): JsonSchema {
  if (settings['access.subject'] !== 'refuse') return body
  const { userId: _, ...properties } = body.properties as Record<string, JsonSchema>
  return { ...body, properties }
}

/** Says which URLs are accepted. */
function describeUrls(body: JsonSchema, settings: Settings): JsonSchema {
  if (settings['webhooks.url'] !== 'https-only') return body
  const fields = Object.entries(body.properties as Record<string, JsonSchema>).map(
    ([name, field]) => [
      name,
      /url$/i.test(name)
        ? { ...field, description: HTTPS, examples: ['https://example.com/hooks'] }
        : field,
    ],
  )
  return { ...body, properties: Object.fromEntries(fields) }
}

const HTTPS = 'Where events go: an HTTPS URL. Only a catch of the sandbox itself may be http.'

function limitSessionId(body: JsonSchema, settings: Settings): JsonSchema {
  const { externalSessionId, ...others } = body.properties as Record<string, JsonSchema>
  const maxLength = settings['transactions.externalSessionId.max']
  return {
    ...body,
    properties: { ...others, externalSessionId: { ...externalSessionId, maxLength } },
  }
}

function withOnly(body: JsonSchema, name: string): JsonSchema {
  const { [name]: field } = body.properties as JsonSchema
  return { ...body, properties: { [name]: field }, required: [name] }
}

/** The same schema, for which a field that it does not name is wrong. */
function close(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema.anyOf)) return { ...schema, anyOf: schema.anyOf.map(close) }
  if (schema.type === 'array') return { ...schema, items: close(schema.items as JsonSchema) }
  if (schema.type !== 'object' || schema.properties === undefined) return schema
  const fields = Object.entries(schema.properties as Record<string, JsonSchema>)
  const properties = Object.fromEntries(fields.map(([name, field]) => [name, close(field)]))
  return { ...schema, properties, additionalProperties: false }
}
