import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { coverageReporter } from '../src/index.ts'
import { endCommands, startProgram } from './helpers/command.ts'
import { isFullDepth } from './helpers/depth.ts'
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

/** Tests of which one gives a setting itself, at its usual value. */
const READING = `
  import { describe } from 'vitest'
  import { test } from ${dist('vitest.js')}
  const read = async ({ settings }) => {
    const rows = [await settings.get('status.createUser'), await settings.get('quotes.ttl')]
    return rows.map(({ value }) => value)
  }
  test('is under the reading', async ({ sandbox, expect }) => {
    expect(await read(sandbox)).toEqual([201, '1h'])
  })
  describe('where a test gives a setting', () => {
    test.override({ sandboxSetup: { settings: { 'quotes.ttl': '30m' } } })
    test('lets that win', async ({ sandbox, expect }) => {
      expect(await read(sandbox)).toEqual([201, '30m'])
    })
  })`

beforeAll(() => {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'one.quote.js'), quoting('USDC-ETH'))
  writeFileSync(join(folder, 'two.quote.js'), quoting('CADC'))
  writeFileSync(join(folder, 'read.reading.js'), READING)
  writeFileSync(
    join(folder, 'vitest.config.js'),
    `import { coverageReporter } from ${dist('index.js')}
     export default {
       test: {
         reporters: ['default', coverageReporter()],
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

describe('coverageReporter', () => {
  it('prints at the end of Vitest what the sandboxes of all workers have met together', async () => {
    const { code, out } = await run('quote', { WORKERS: '2', POOL: 'forks' })
    expect(code).toBe(0)
    const [, report = ''] = out.split(/Duration.*\n/)
    expect(report).toContain('1 of 310 situations met (0 %), by 2 calls of the contract')
    expect(report).toContain('Never seen, the worst first:\nA response is lost')
  })

  it('says so where no test made a call', async () => {
    const idle = `import { coverageReporter } from ${dist('index.js')}; coverageReporter().onInit()`
    const node = [process.execPath, '--input-type=module', '--eval', idle]
    const { out } = await startProgram(node).ended
    expect(out).toContain('The tests made no call of the contract, so there is no coverage of it.')
  })

  it('leaves the report to an exec around it', () => {
    vi.stubEnv('RAMP_SANDBOX_COVERAGE', folder)
    onTestFinished(() => void vi.unstubAllEnvs())
    const before = process.listeners('exit')
    coverageReporter().onInit()
    expect(process.listeners('exit')).toEqual(before)
    expect(process.env.RAMP_SANDBOX_COVERAGE).toBe(folder)
  })

  it.runIf(isFullDepth)(
    'leaves it to an exec, whose reading holds where no test gives another',
    async () => {
      const reading = JSON.stringify({ 'status.createUser': 201, 'quotes.ttl': '1h' })
      const exec = { RAMP_SANDBOX_COVERAGE: createFolder(), RAMP_SANDBOX_READING: reading }
      const { code, out, err } = await run('reading', exec)
      expect([code, out + err]).toEqual([0, expect.stringContaining('2 passed')])
      expect(out).not.toMatch(/situations met|no call of the contract/)
    },
  )
})
