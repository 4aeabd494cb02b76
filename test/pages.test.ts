import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createSandbox } from '../src/index.ts'
import { parseDuration } from '../src/world/duration.ts'
import { isFullDepth } from './helpers/depth.ts'
import { blocksOf, paste } from './helpers/page.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

async function openSandbox() {
  const sandbox = await createSandbox({ listen: false })
  onTestFinished(() => sandbox.close())
  return sandbox
}

it('the pages show the example files exactly as the gate runs them', () => {
  const pages = ['webhooks', 'other-languages'].map((name) => read(`docs/${name}.md`))
  const blocks = [...pages.join('\n').matchAll(/^<!-- (test\S+) -->\n```\w+\n([\s\S]*?)^```/gm)]
  expect(blocks.length).toBe(8)
  for (const [, file = '', code] of blocks) expect(code, file).toBe(read(file))
})

it('the page about tests names every method of the library, and no other', async () => {
  const [, table = ''] = /^## Every method$([\s\S]*?)^## /m.exec(read('docs/testing.md')) ?? []
  // `catches` is `webhooks.catch`, in the library.
  const { catches, ...sandbox } = { catches: undefined, ...(await openSandbox()) }
  const methods = Object.entries(sandbox).flatMap(([group, member]) =>
    typeof member === 'object' ? Object.keys(member).map((name) => `${group}.${name}`) : [group],
  )
  // Not in the types: the library itself calls `restart` after a reset.
  const isNamed = (method: string) => ['`', '('].some((end) => table.includes(`\`${method}${end}`))
  const missing = methods.filter((method) => !isNamed(method) && !method.endsWith('.restart'))
  expect(missing).toEqual([])
  const named = [...table.matchAll(/`([a-zA-Z]+\.[a-zA-Z]+)[`(]/g)].map(([, name = '']) => name)
  expect(named.filter((name) => !methods.includes(name))).toEqual([])
})

it('the page about time lists every configurable length of time with its value', async () => {
  const { settings } = await openSandbox()
  const lengths = (await settings.list()).filter(({ options }) =>
    String(options).startsWith('a length of time'),
  )
  expect(lengths.length).toBeGreaterThan(5)
  const rows = read('docs/time.md').split('\n')
  for (const { id, default: value } of lengths) {
    const row = rows.find((line) => line.startsWith('|') && line.includes(`\`${id}\``)) ?? ''
    const [, shown = ''] = /^\|[^|]*\| (\d+ (?:second|minute|hour))s?\b/.exec(row) ?? []
    const short = shown.replace(/ (.).*/, '$1')
    expect(parseDuration(short), `${id}: ${row}`).toBe(parseDuration(String(value)))
  }
})

it.runIf(isFullDepth)('the commands of docs/time.md work in their order', async () => {
  const sandbox = await createSandbox({ fixture: 'verified-user' })
  onTestFinished(() => sandbox.close())
  // Its expiry is what `clock next` goes to.
  await sandbox.sell('alice@example.com', { coins: 100 })
  await paste(blocksOf(read('docs/time.md'), 'sh'), sandbox.url)
})
