import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readEvidence } from '../src/host/exec-environment.ts'
import { endCommands, startProgram } from './helpers/command.ts'
import { createFolder } from './helpers/folder.ts'

afterAll(endCommands)

const root = join(import.meta.dirname, '..')
const folder = createFolder()
const VITEST = join(root, 'node_modules/vitest/vitest.mjs')
const dist = (file: string) => JSON.stringify(join(root, 'dist', file))

const quoting = (coin: string) => `
  import { test } from ${dist('vitest.js')}
  test('quotes ${coin}', async ({ sandbox, expect }) => {
    const query = 'leftSideLabel=CAD&leftSideValue=100&rightSideLabel=${coin}'
    const headers = { 'x-api-key': sandbox.apiKey }
    expect((await sandbox.fetch('/v2/quotes?' + query, { headers })).status).toBe(200)
  })`

const FAILING = `
  import { test } from ${dist('vitest.js')}
  const refused = async ({ sandbox }, query) => {
    const headers = { 'x-api-key': sandbox.apiKey }
    await sandbox.fetch('/v2/quotes' + query, { headers })
    await sandbox.reset()
  }
  test('fails', async ({ sandbox, expect }) => {
    await refused({ sandbox }, '?leftsidelabel=CAD')
    expect(1).toBe(2)
  })
  test('passes', ({ sandbox }) => refused({ sandbox }, '?amount=1'))
  test('fails without a call', ({ sandbox, expect }) => expect(1).toBe(2))`

beforeAll(() => {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'one.quote.js'), quoting('USDC-ETH'))
  writeFileSync(join(folder, 'two.quote.js'), quoting('CADC'))
  writeFileSync(join(folder, 'fail.failing.js'), FAILING)
  writeFileSync(
    join(folder, 'vitest.config.js'),
    `export default {
       test: {
         include: [process.env.TESTS],
         maxWorkers: Number(process.env.WORKERS),
         pool: process.env.POOL,
       },
     }`,
  )
})

const run = (files: string, env: Record<string, string> = {}) =>
  startProgram([process.execPath, VITEST, 'run'], {
    cwd: folder,
    env: { TESTS: `*.${files}.js`, WORKERS: '1', POOL: 'threads', ...env },
  }).ended

it('a failed test of Vitest says what the sandbox saw in its own world', async () => {
  const { code, err } = await run('failing')
  expect(code).toBe(1)
  const seen = err.split('\n').filter((line) => /saw:$|^ +\d+ ×/.test(line))
  expect(seen).toEqual([
    expect.stringContaining('The sandbox of "fails" saw:'),
    expect.stringMatching(/^ {2}1 × GET \/v2\/quotes → 400: .*leftSideLabel/),
  ])
})

it('Vitest under exec leaves the coverage of all workers where exec reads it', async () => {
  const coverage = createFolder()
  const env = { WORKERS: '2', POOL: 'forks', RAMP_SANDBOX_COVERAGE: coverage }
  expect((await run('quote', env)).code).toBe(0)
  const evidence = readEvidence(coverage)
  expect(evidence.map(({ calls }) => calls)).toEqual([1, 1])
})
