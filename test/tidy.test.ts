import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  findCycles,
  findDialectCrossings,
  findFolderCycles,
  findHomeless,
  findImpurities,
  findLongFiles,
  findModuleState,
  findUpwardImports,
  findV1Uses,
  LINES_MAX,
  type Sources,
} from './tidy-rules.ts'

const root = join(import.meta.dirname, '..')
const sources = readSources('src', /\.tsx?$/)
const world = [...sources].filter(([path]) => path.startsWith('src/world/'))

it('gives each decision a number of its own', () => {
  const numbers = readdirSync(join(root, 'decisions')).map((file) => file.slice(0, 3))
  expect(new Set(numbers).size).toBe(numbers.length)
})

describe('the sources', () => {
  it('import downwards, or from their own floor', () => {
    expect([...sources].flatMap(([path, source]) => findUpwardImports(path, source))).toEqual([])
  })

  it('are each on a floor', () => {
    expect(findHomeless(sources.keys())).toEqual([])
  })

  it('keep v1, v2 and the control API apart', () => {
    expect([...sources].flatMap(([path, source]) => findDialectCrossings(path, source))).toEqual([])
  })

  it('keep world/ free of the wall clock, chance, timers, promises and I/O', () => {
    expect(world.flatMap(([path, source]) => findImpurities(path, source))).toEqual([])
  })

  it('import nothing in a circle, not even types', () => {
    expect(findCycles(sources)).toEqual([])
    expect(findFolderCycles(sources)).toEqual([])
  })

  it('keep no state in a module of world/', () => {
    expect(world.flatMap(([path, source]) => findModuleState(path, source))).toEqual([])
  })

  it('let v1 be deleted with two lines and what they import', () => {
    const imports = findV1Uses(sources)
    expect(imports.length, imports.join('\n')).toBeLessThanOrEqual(2)
  })

  it(`stay under ${LINES_MAX} lines each`, () => {
    expect(findLongFiles(sources)).toEqual([])
  })
})

describe('the checks themselves', () => {
  it.each([
    ['const at = Date.now()', 'world.now'],
    ['const at = new Date()', 'new Date(world.now)'],
    ['const pick = Math.random() < 0.5', 'random.ts'],
    ['setTimeout(() => expire(transaction), HOUR)', 'world.schedule'],
    ['export async function buy() {}', 'synchronous'],
    ["fetch('https://example.com')", 'webhooks/'],
    ['const zone = process.env.TZ', 'world/settings/'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text, planted to be judged
    ['const text = `at ${Date.now()}`', 'world.now'],
    ["import { createHmac } from 'node:crypto'", 'imports node:crypto'],
    ["const fs = import('node:fs')", 'imports node:fs'],
  ])('catch `%s` in world/ and name what to use', (code, advice) => {
    const found = findImpurities('src/world/planted.ts', `const before = 1\n${code}\n`)
    expect(found.join('\n')).toContain(advice)
  })

  it.each([
    ['src/world/users.ts', '../webhooks/outbox.ts'],
    ['src/http/app.ts', '../dashboard/index.tsx'],
    ['src/scenario/play.ts', '../world/world.ts'],
    ['src/client/client.ts', '../world/money.ts'],
  ])('catch %s importing %s', (path, target) => {
    expect(findUpwardImports(path, `import { thing } from '${target}'\n`)).toHaveLength(1)
    expect(findUpwardImports(path, `export {\n  thing,\n} from '${target}'\n`)).toHaveLength(1)
    expect(findUpwardImports(path, `const it = import('${target}')\n`)).toHaveLength(1)
  })
})

function readSources(folder: string, kind: RegExp): Sources {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  const paths = names
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => kind.test(path) && !/node_modules|generated/.test(path))
    .sort()
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}
