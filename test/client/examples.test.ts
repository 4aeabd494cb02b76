import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { describe, expect, it, onTestFinished } from 'vitest'
import * as library from '../../src/index.ts'
import { test } from '../../src/vitest.ts'
import { signBody } from '../../src/webhooks/sign.ts'

const root = join(import.meta.dirname, '../../src')

/** What is exported with an example, and what the example takes for granted. */
const documented: Record<string, { file: string; given?: () => object | Promise<object> }> = {
  createSandbox: { file: 'host/create-sandbox.ts' },
  connectSandbox: {
    file: 'host/explorable.ts',
    async given() {
      const sandbox = await library.createSandbox({ clock: 'frozen' })
      onTestFinished(() => sandbox.close())
      return { url: sandbox.url }
    },
  },
  SandboxError: { file: 'client/error.ts' },
  createReceiver: { file: 'client/receiver.ts' },
  verifySignature: { file: 'webhooks/sign.ts', given: signedRequest },
}

function signedRequest() {
  const [secret, body] = ['whsec_test', '{"id":"evt_1"}']
  const timestamp = Math.floor(Date.now() / 1000)
  const headers = {
    'x-service-timestamp': String(timestamp),
    'x-service-signature': signBody({ secret, timestamp, body }),
  }
  return { secret, request: new Request('http://localhost', { method: 'POST', headers, body }) }
}

it('the library has an example for everything it exports', () => {
  expect(Object.keys(documented).sort()).toEqual(Object.keys(library).sort())
})

it.each(Object.entries(documented))(
  'the examples in the library work: %s',
  async (name, { file, given }) => {
    const scope = { ...library, assert, ...(await given?.()) }
    expect(await run(exampleOf(name, file), scope)).toBeUndefined()
  },
)

describe('the example of ramp-sandbox/vitest', () => {
  new Function('test', exampleOf('test', 'host/vitest-fixture.ts'))(test)
})

/** The code under `@example` in the comment above an export. */
function exampleOf(name: string, file: string): string {
  const source = readFileSync(join(root, file), 'utf8')
  const [before = ''] = source.split(
    new RegExp(`^export (?:async )?(?:function|class|const) ${name}\\b`, 'm'),
  )
  const comment = before.slice(before.lastIndexOf('/**'))
  const [, example = ''] = /@example\n([\s\S]*?)(?=\n \* @|\n \*\/)/.exec(comment) ?? []
  const code = example.replaceAll(/^ \* ?/gm, '')
  expect(code, `${name} has an example`).not.toBe('')
  return code
}

async function run(code: string, scope: object): Promise<unknown> {
  const wrapped = `async function example({ ${Object.keys(scope)} }) {\n${code}\n}`
  // `await using` is younger than the oldest Node that the library runs on.
  const { code: plain } = await transform(wrapped, { loader: 'ts', target: 'node20' })
  return await new Function('scope', `${plain}\nreturn example(scope)`)(scope)
}
