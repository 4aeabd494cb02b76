import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Listening, listen } from '../src/host/server.ts'
import { createWorlds, type Worlds } from '../src/host/worlds.ts'

const root = join(import.meta.dirname, '..')
const README = readFileSync(join(root, 'README.md'), 'utf8')
const DOCUMENTS = [
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'decisions')).map((file) => `decisions/${file}`),
]

let worlds: Worlds
let listening: Listening

beforeEach(async () => {
  worlds = createWorlds()
  listening = await listen({ fetch: worlds.fetch, port: 0 })
})

afterEach(async () => {
  await listening.close()
  await worlds.close()
})

it('completes a first buy when its commands are pasted into a shell', async () => {
  const pasted = firstBuy().replaceAll('http://127.0.0.1:4100', listening.url)
  const { stdout } = await promisify(execFile)('bash', ['-e', '-c', pasted])
  const [last = ''] = stdout.match(/\{"success":true(?!.*\{"success":true).*$/) ?? []
  expect(JSON.parse(last).data).toMatchObject({ status: 'complete', rightSideValue: 708.98 })

  const caught = await fetch(`${listening.url}/_sandbox/catch/me/requests`)
  const { requests } = (await caught.json()) as { requests: { signature: string }[] }
  expect(requests.map(({ signature }) => signature)).toEqual(['valid', 'valid', 'valid', 'valid'])
})

it('shows that first buy in under fifteen lines', () => {
  expect(firstBuy().trim().split('\n').length).toBeLessThan(15)
})

it.each(DOCUMENTS)('names only files that exist in %s', (document) => {
  const text = readFileSync(join(root, document), 'utf8')
  const paths = [...text.matchAll(/`((?:[\w-]+\/)+(?:[\w-]+\.(?:tsx?|md|json))?)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => !path.includes('v3'))
  const isThere = (path: string) =>
    ['', 'src'].some((folder) => existsSync(join(root, folder, path)))
  expect(paths.filter((path) => !isThere(path))).toEqual([])
})

function firstBuy(): string {
  const [, section = ''] = README.split('## A first buy')
  return /```sh\n([\s\S]*?)```/.exec(section)?.[1] ?? ''
}
