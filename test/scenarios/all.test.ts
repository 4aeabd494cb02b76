import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import { playScenario } from '../../src/scenario/play.ts'

const folder = join(import.meta.dirname, '../../scenarios')
const files = readdirSync(folder)

it.each(files)('the scenario %s passes', async (file) => {
  await using sandbox = await createSandbox()
  const { url, fetch } = sandbox.world('played')
  const request = {
    name: file,
    file: join(folder, file),
    url,
    webhookUrl: null,
    controlToken: null,
  }
  const { outcome, problem } = await playScenario(request, { fetch })
  expect({ outcome, problem }).toEqual({ outcome: 'passed', problem: null })
})

it.each(files)('the scenario %s imports nothing, so that it can be copied', (file) => {
  const source = readFileSync(join(folder, file), 'utf8')
  expect(source).toMatch(/^\/\/ @ts-check\n/)
  expect(source).not.toMatch(/^\s*import\b|\bimport\((?!'ramp-sandbox'\)\.)|\brequire\(/m)
})
