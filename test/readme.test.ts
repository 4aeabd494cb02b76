import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Live, openLive } from './control/live.ts'
import { isFullDepth } from './helpers/depth.ts'
import { blocksOf, paste } from './helpers/page.ts'

const root = join(import.meta.dirname, '..')
const README = readFileSync(join(root, 'README.md'), 'utf8')
const DOCUMENTS = [
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'decisions')).map((file) => `decisions/${file}`),
]

let listening: Live
beforeAll(async () => {
  listening = await openLive({ fixture: 'default', clock: 'running' })
})
afterAll(() => listening[Symbol.asyncDispose]())

it.concurrent('the README does what it says when its commands are pasted in order', async ({
  skip,
}) => {
  skip(!isFullDepth)
  const [start, ...pasted] = blocksOf(README, 'sh')
  expect(start?.trim()).toBe('npm ci && npm start')
  const { stdout } = await paste(pasted, listening.url, root)
  expect(stdout).toMatch(/buy {2}1000 CAD → 708\.98 USDC-ETH {2}ana@example\.com {2}complete\n/)
  expect(stdout).toMatch(/^bought 708\.98 USDC-ETH: complete\n/m)
})

it.concurrent('the library example in the README prints what its comment says', async () => {
  const [example = ''] = blocksOf(README, 'js')
  const args = ['--input-type=module', '--eval', example]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root })
  expect(stdout).toBe(/console\.log\(.*\/\/ (.*)/.exec(example)?.[1]?.concat('\n'))
})

it.each(DOCUMENTS)('the document %s names only files that exist', (document) => {
  const text = readFileSync(join(root, document), 'utf8')
  const paths = [...text.matchAll(/`((?:[\w-]+\/)+(?:[\w-]+\.(?:tsx?|md|json))?)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => !path.includes('v3'))
  const isThere = (path: string) =>
    ['', 'src'].some((folder) => existsSync(join(root, folder, path)))
  expect(paths.filter((path) => !isThere(path))).toEqual([])
})
