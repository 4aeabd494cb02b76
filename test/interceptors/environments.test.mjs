import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'

const require = createRequire(import.meta.url)
const cwd = join(import.meta.dirname, 'environments')

function run(file, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], { cwd })
  assert.equal(status, 0, `${stdout}${stderr}`)
}

test('a sandbox is used in jsdom of Jest', () => {
  const jest = join(require.resolve('jest/package.json'), '../bin/jest.js')
  run(jest, '--env=jsdom', '--rootDir=.', '--testMatch=**/*.test.cjs')
})

for (const environment of ['jsdom', 'happy-dom']) {
  for (const pool of ['forks', 'vmThreads']) {
    test(`a sandbox is used in ${environment} of Vitest, in ${pool}`, () => {
      const vitest = join(require.resolve('vitest/package.json'), '../vitest.mjs')
      run(vitest, 'run', `--environment=${environment}`, `--pool=${pool}`)
    })
  }
}
