// An emulator of another service that people know: dynalite keeps DynamoDB's tables in memory.
import { createRequire } from 'node:module'

const TABLE = 'transactions'
const KEY_FIELDS = { user: 'HASH', id: 'RANGE' }

/** Serves a table of transactions; `folder` is where the npm package `dynalite` is. */
export async function serve({ folder }) {
  const server = createRequire(`${folder}/`)('dynalite')({ createTableMs: 0 })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: server.address().port }
}

const headersOf = (operation) => ({
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-target': `DynamoDB_20120810.${operation}`,
  'x-amz-date': '20260701T120000Z',
  authorization:
    'AWS4-HMAC-SHA256 Credential=k/20260701/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
})
const toCall = (operation, body) => ['POST', '/', { headers: headersOf(operation), body }]

export const toTable = () =>
  toCall('CreateTable', {
    TableName: TABLE,
    KeySchema: Object.entries(KEY_FIELDS).map(([AttributeName, KeyType]) => ({
      AttributeName,
      KeyType,
    })),
    AttributeDefinitions: Object.keys(KEY_FIELDS).map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S',
    })),
    BillingMode: 'PAY_PER_REQUEST',
  })
export const toDescription = () => toCall('DescribeTable', { TableName: TABLE })
export const toPut = (row) => toCall('PutItem', { TableName: TABLE, Item: toItem(row) })
export const toGet = ({ user, id }) =>
  toCall('GetItem', { TableName: TABLE, Key: toItem({ user, id }) })
export const toQuery = ({ user }, limit) =>
  toCall('Query', {
    TableName: TABLE,
    Limit: limit,
    KeyConditionExpression: '#u = :u',
    ExpressionAttributeNames: { '#u': 'user' },
    ExpressionAttributeValues: { ':u': { S: user } },
  })

function toItem(row) {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toAttribute(value)]))
}

function toAttribute(value) {
  if (value === null) return { NULL: true }
  return typeof value === 'number' ? { N: String(value) } : { S: String(value) }
}
