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

test('a sandbox is used in jsdom and happy-dom of Vitest, in forks and in vmThreads', () => {
  run(join(require.resolve('vitest/package.json'), '../vitest.mjs'), 'run')
})
