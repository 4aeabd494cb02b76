import { describe, expect, it, onTestFinished } from 'vitest'
import type { WorldsOptions } from '../../src/host/worlds.ts'
import { settingsOn } from '../../src/world/settings/index.ts'
import { openApp } from '../helpers/app.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is read by its paths
type Json = any

function open(options: WorldsOptions = {}) {
  const app = openApp(options)
  onTestFinished(() => app.close())
  const page = async (path = '') => (await app.send(`/_sandbox/reference${path}`)).text
  const document = async (path: string): Promise<Json> => JSON.parse((await app.send(path)).text)
  return { app, page, document }
}

const operationsIn = ({ paths, webhooks = {} }: Json): Json[] =>
  [...Object.values<Json>(paths), ...Object.values<Json>(webhooks)].flatMap(Object.values)

/** Names of the fields of a schema, with those of what it refers to. */
function fieldsIn(value: Json, document: Json): string[] {
  if (value === null || typeof value !== 'object') return []
  const { $ref, properties = {}, items, additionalProperties, anyOf = [], oneOf = [] } = value
  const target = $ref && document.components.schemas[$ref.split('/').at(-1)]
  const inner = [...Object.values(properties), items, additionalProperties, ...anyOf, ...oneOf]
  return [
    ...Object.keys(properties),
    ...[...inner, target].flatMap((part) => fieldsIn(part, document)),
  ]
}

const toHtml = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

describe('the reference', () => {
  it.each([
    ['/openapi.json', 'createTransaction'],
    ['/_sandbox/openapi.json', 'createFault'],
  ])(
    'has a page for each operation of %s, and on that of %s all that it says',
    async (path, one) => {
      const { page, document } = open()
      const api = await document(path)
      const index = await page()
      const missing = operationsIn(api).filter(
        ({ operationId }) => !index.includes(`href="/_sandbox/reference/${operationId}"`),
      )
      expect(missing).toEqual([])
      const operation = operationsIn(api).find(({ operationId }) => operationId === one)
      const text = await page(`/${one}`)
      expect(text).toContain(`<h1>${toHtml(operation.summary)}</h1>`)
      for (const status of Object.keys(operation.responses)) expect(text).toContain(status)
      const bodies = [operation.requestBody, operation.responses[200]]
      for (const { content } of bodies) {
        for (const name of fieldsIn(content['application/json'].schema, api)) {
          expect(text, name).toContain(`<code>${toHtml(name)}</code>`)
        }
      }
      for (const setting of settingsOn(operation.operationId)) {
        expect(text).toContain(`settings?q=${setting}`)
      }
    },
  )

  it('finds operations by words of their name, path and summary', async () => {
    const { page } = open()
    const found = await page('?q=quote')
    expect(found).toContain('/_sandbox/reference/createQuote?q=quote')
    expect(found).not.toContain('/_sandbox/reference/advanceClock')
    expect(await page('?q=nothing+like+it')).toContain('No operation matches.')
  })
})
