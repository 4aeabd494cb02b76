// An emulator of another service that people know: dynalite keeps DynamoDB's tables in memory.
import { createRequire } from 'node:module'

const TABLE = 'transactions'
const ROWS = 5_000

/** Serves a table for transactions; `folder` is where the npm package `dynalite` is. */
export async function serve({ folder }) {
  const dynalite = createRequire(`${folder}/`)('dynalite')
  const server = dynalite({ createTableMs: 0 })
  const port = await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server.address().port))
  })
  await call(port, 'CreateTable', {
    TableName: TABLE,
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  while (!(await call(port, 'DescribeTable', { TableName: TABLE })).includes('"ACTIVE"'));
  return { port }
}

/** Requests that each put a row with the fields of this transaction. */
export function toPuts(transaction) {
  return Array.from({ length: ROWS }, (_, i) => {
    const Item = Object.fromEntries(
      Object.entries({ ...transaction, id: `${transaction.id}-${i}` }).map(toAttribute),
    )
    return toRequest('PutItem', { TableName: TABLE, Item })
  })
}

function toAttribute([name, value]) {
  if (value === null) return [name, { NULL: true }]
  return [name, typeof value === 'number' ? { N: String(value) } : { S: String(value) }]
}

const headersOf = (operation) => ({
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-target': `DynamoDB_20120810.${operation}`,
  'x-amz-date': '20260701T120000Z',
  authorization:
    'AWS4-HMAC-SHA256 Credential=k/20260701/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
})

async function call(port, operation, input) {
  const init = { method: 'POST', headers: headersOf(operation), body: JSON.stringify(input) }
  const response = await fetch(`http://127.0.0.1:${port}/`, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`dynalite: ${operation}: ${text}`)
  return text
}

function toRequest(operation, input) {
  const body = JSON.stringify(input)
  const headers = Object.entries({
    host: '127.0.0.1',
    ...headersOf(operation),
    'content-length': Buffer.byteLength(body),
  })
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  return `POST / HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}
