import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { CLI } from './helpers/cli.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const chunks = readdirSync(join(dist, 'chunks')).filter((file) => file.endsWith('.js'))
const read = (file: string) => readFileSync(join(dist, file), 'utf8')

interface Packed {
  size: number
  files: { path: string }[]
}

/** What `npm publish` would send, without building it anew under the feet of other tests. */
function pack(): Packed {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' }))
  return packed
}

/** All that may be in the package. */
const CONTENT = [
  /^(LICENSE|README\.md|CHANGELOG\.md|package\.json)$/,
  /^dist\/(cli|index|vitest|scenario\/worker|chunks\/[\w-]+)\.js(\.map)?$/,
  /^dist\/[\w/-]+\.d\.ts$/,
  /^dist\/assets\/[\w-]+\.(js|css|svg)$/,
  /^dist\/(LICENSES\.txt|examples\.json|fixture\.schema\.json)$/,
  /^(fixtures\/[\w-]+\.json|scenarios\/[\w-]+\.js)$/,
]

describe('the package', () => {
  const { files, size } = pack()
  const paths = files.map(({ path }) => path)

  it('holds what runs, its types, its papers, fixtures and scenarios, and nothing else', () => {
    expect(paths.filter((path) => !CONTENT.some((kind) => kind.test(path)))).toEqual([])
    for (const kind of CONTENT.filter((kind) => !kind.test('dist/index.d.ts'))) {
      expect(paths).toContainEqual(expect.stringMatching(kind))
    }
    for (const folder of ['fixtures', 'scenarios']) {
      expect(paths).toEqual(
        expect.arrayContaining(readdirSync(join(root, folder)).map((name) => `${folder}/${name}`)),
      )
    }
    expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'CHANGELOG.md']))
  })

  it('is under 1 MB and needs no other package', () => {
    expect(size).toBeLessThan(1_000_000)
    expect(manifest).not.toHaveProperty('dependencies')
    expect(manifest).not.toHaveProperty('optionalDependencies')
    expect(Object.keys(manifest.peerDependencies)).toEqual(['vitest'])
    expect(manifest.peerDependenciesMeta.vitest.optional).toBe(true)
  })

  it('exports the library and the vitest fixture, each with its types, and a program', () => {
    const { '.': library, './vitest': vitest, ...rest } = manifest.exports
    expect(rest).toEqual({ './package.json': './package.json' })
    expect([library, vitest].map(({ default: file, types }) => [file, types])).toEqual([
      ['./dist/index.js', './dist/index.d.ts'],
      ['./dist/vitest.js', './dist/vitest.d.ts'],
    ])
    expect(existsSync(join(root, library.default)) && existsSync(join(root, vitest.default))).toBe(
      true,
    )
    expect(join(root, manifest.bin['ramp-sandbox'])).toBe(CLI)
    expect(read('cli.js')).toMatch(/^#!\/usr\/bin\/env node\n/)
    expect(statSync(CLI).mode & 0o111).toBe(0o111)
  })

  it('says in CHANGELOG.md what its version brings', () => {
    const changes = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
    expect(changes).toMatch(`## [${manifest.version}] - 20`)
  })

  it('brings the licence of each library that is bundled', () => {
    const maps = chunks.map((file) => JSON.parse(read(`chunks/${file}.map`)).sources.join('\n'))
    const found = maps.join('\n').matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)/g)
    const bundled = new Set(Array.from(found, ([, name]) => name))
    expect([...bundled]).toEqual(expect.arrayContaining(['hono', 'zod']))
    const licences = read('LICENSES.txt')
    for (const name of bundled) expect(licences).toMatch(new RegExp(`^${name}\n=+\n[\\s\\S]`, 'm'))
    expect(licences.match(/^Copyright /gim)?.length).toBeGreaterThanOrEqual(bundled.size)
  })
})

describe('a start', () => {
  const files = reachFrom(
    'cli.js',
    ...chunks.filter((file) => file.startsWith('sandbox-commands-')),
  )

  it('loads few files, because each takes a while to find', () => {
    expect(files.size).toBeLessThanOrEqual(13)
  })

  it.each([
    ['pages', 'views'],
    ['scenarios', 'play'],
    ['documents', 'openapi'],
  ])('leaves the %s for later', (_, part) => {
    const name = new RegExp(`^${part}-`)
    expect(chunks).toContainEqual(expect.stringMatching(name))
    expect([...files]).not.toContainEqual(expect.stringMatching(name))
  })

  /** The files that these import at once, and so on. */
  function reachFrom(...entries: string[]): Set<string> {
    const reached = new Set<string>()
    const reach = (file: string) => {
      if (reached.has(file)) return
      reached.add(file)
      const code = read(chunks.includes(file) ? `chunks/${file}` : file)
      for (const [, next = ''] of code.matchAll(/(?:from|import) "\.\/(?:chunks\/)?([^"]+)"/g)) {
        reach(next)
      }
    }
    entries.forEach(reach)
    return reached
  }
})
