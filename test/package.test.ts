import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { CLI } from './helpers/command.ts'
import { isFullDepth } from './helpers/depth.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
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
  /^(LICENSE|README\.md|package\.json)$/,
  /^dist\/(cli|index|load|vitest)\.c?js$/,
  /^dist\/[\w-]+\.cjs$/,
  /^dist\/[\w/-]+\.d\.c?ts$/,
  /^dist\/assets\/[\w-]+\.(js|css|svg)$/,
  /^dist\/(LICENSES\.txt|examples\.json|fixture\.schema\.json)$/,
  /^(fixtures\/[\w-]+\.json|scenarios\/[\w-]+\.js)$/,
  /^docs\/[\w-]+\.(md|webp)$/,
  /^skills\/ramp-sandbox\/SKILL\.md$/,
  /^test\/examples\/([\w-]+\/.*|coins-on-a-chain\.mjs)$/,
]

// npm takes a second to list them, and .ci/run installs what it packs in any case.
describe.runIf(isFullDepth)('the package', () => {
  let size = 0
  let paths: string[] = []
  beforeAll(() => {
    const packed = pack()
    size = packed.size
    paths = packed.files.map(({ path }) => path)
  })

  it('the package holds the code, its types, its documents, fixtures and scenarios, and nothing else', () => {
    expect(paths.filter((path) => !CONTENT.some((kind) => kind.test(path)))).toEqual([])
    for (const kind of CONTENT.filter((kind) => !kind.test('dist/index.d.ts'))) {
      expect(paths).toContainEqual(expect.stringMatching(kind))
    }
    for (const folder of ['fixtures', 'scenarios']) {
      expect(paths).toEqual(
        expect.arrayContaining(readdirSync(join(root, folder)).map((name) => `${folder}/${name}`)),
      )
    }
    expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'README.md']))
  })

  it('the package holds whatever its README and pages link to and show', () => {
    for (const page of paths.filter((path) => path.endsWith('.md'))) {
      const text = readFileSync(join(root, page), 'utf8')
      const links = text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)
      const files = Array.from(links, ([, link = '']) => join(dirname(page), link))
      const isHeld = (file: string) => paths.some((path) => `${path}/`.startsWith(`${file}/`))
      expect(
        files.filter((file) => !isHeld(file)),
        page,
      ).toEqual([])
    }
  })

  it('the package has a go.mod beside Go files, so that `go test ./...` of a user leaves them alone', () => {
    const folders = paths.filter((path) => path.endsWith('.go')).map(dirname)
    expect(folders).not.toEqual([])
    expect(folders.filter((folder) => !paths.includes(`${folder}/go.mod`))).toEqual([])
  })

  it('the package is under 545 kB', () => {
    expect(size).toBeLessThan(545_000)
  })
})

it('the package has no dependencies', () => {
  expect(manifest).not.toHaveProperty('dependencies')
  expect(manifest).not.toHaveProperty('optionalDependencies')
  expect(Object.keys(manifest.peerDependencies)).toEqual(['vitest'])
  expect(manifest.peerDependenciesMeta.vitest.optional).toBe(true)
})

it('the package exports the library and the vitest fixture, each with its types, and a program', () => {
  const { '.': library, './vitest': vitest, ...rest } = manifest.exports
  expect(rest).toEqual({ './package.json': './package.json' })
  for (const [name, entry] of Object.entries({ index: library, vitest })) {
    const file = `./dist/${name}`
    expect(entry).toEqual({
      import: { types: `${file}.d.ts`, default: `${file}.js` },
      require: { types: `${file}.d.cts`, default: `${file}.cjs` },
    })
    expect([`${file}.js`, `${file}.cjs`].every((path) => existsSync(join(root, path)))).toBe(true)
  }
  expect(join(root, manifest.bin['ramp-sandbox'])).toBe(CLI)
  expect(read('cli.cjs')).toMatch(/^#!\/usr\/bin\/env node\n/)
  expect(statSync(CLI).mode & 0o111).toBe(0o111)
})

it('the package includes the licence of each bundled library', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(root, 'src', name), 'utf8'))
  const found = sources
    .join('\n')
    .matchAll(/^(?!import type).* from '((?:@[^/']+\/)?[a-z][\w-]*)(?=['/])/gm)
  const imported = new Set(Array.from(found, ([, name = '']) => name))
  const bundled = withDependencies([...imported].filter((name) => name !== 'vitest'))
  expect([...bundled]).toEqual(expect.arrayContaining(['hono', 'zod', 'preact', 'steno']))
  const licences = read('LICENSES.txt')
  for (const name of bundled) expect(licences).toMatch(new RegExp(`^${name}\n=+\n[\\s\\S]`, 'm'))
  expect(licences.match(/^Copyright /gim)?.length).toBeGreaterThanOrEqual(bundled.size)
})

/** Packages, with those that they need. */
function withDependencies(names: string[], all = new Set<string>()): Set<string> {
  for (const name of names.filter((name) => !all.has(name))) {
    const file = join(root, 'node_modules', name, 'package.json')
    withDependencies(
      Object.keys(JSON.parse(readFileSync(file, 'utf8')).dependencies ?? {}),
      all.add(name),
    )
  }
  return all
}

it('the library is the same and has one state, whether it is imported or required', async () => {
  const imported = await import(join(dist, 'index.js'))
  const required = createRequire(import.meta.url)(join(dist, 'index.cjs'))
  expect(Object.keys(required).sort()).toEqual(Object.keys(imported).sort())
  expect(required.SandboxError).toBe(imported.SandboxError)
})

/** What a program that uses the library prints, and how it ends. */
function runModule(code: string) {
  const args = ['--input-type=module', '-e', code]
  return spawnSync(process.execPath, args, { encoding: 'utf8', cwd: root })
}

const OPEN = `import { createSandbox } from '${pathToFileURL(join(dist, 'index.js'))}'`

it('a program that uses the library can set the language of its own zod, and the sandbox stays in English', () => {
  const { stdout, stderr } = runModule(`${OPEN}
      const globals = Object.keys(globalThis).filter((name) => name.startsWith('__zod'))
      const z = await import('zod')
      z.config(z.locales.de())
      const sandbox = await createSandbox()
      const headers = { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' }
      const url = sandbox.url + '/v2/auth/login-codes'
      const response = await fetch(url, { method: 'POST', headers, body: '{"email":7}' })
      const { errors } = await response.json()
      const own = z.string().safeParse(7).error.issues[0].message
      console.log(JSON.stringify({ globals, errors, own }))
      await sandbox.close()`)
  expect(JSON.parse(stdout), stderr).toEqual({
    globals: [],
    errors: [{ field: 'email', message: 'email must be a string, not 7.' }],
    own: 'Ungültige Eingabe: erwartet string, erhalten Zahl',
  })
})

it('a program that uses the library prints an uncaught error without pages of bundled code before it', () => {
  const { status, stderr } = runModule(`${OPEN}
      const sandbox = await createSandbox()
      await sandbox.events.next({ type: 'nothing' }, { timeout: '1ms' })`)
  expect(status, stderr).toBe(1)
  expect(stderr.length, stderr.slice(0, 2_000)).toBeLessThan(3_000)
})

it('the program loads zod only for the commands that need it', () => {
  expect(read('core.cjs')).toContain('ZodNullable')
  expect(read('main.cjs')).not.toContain('ZodNullable')
})

const LIST = 'process.on("exit", () => console.log(JSON.stringify(Object.keys(require.cache))))'

it.each([
  ['--version', ['main']],
  ['fixtures', ['core', 'main', 'rolldown-runtime']],
])('the program loads only what it needs for %s', (command, parts) => {
  const script = `${LIST}; process.argv.splice(1, 0, ${JSON.stringify(CLI)}); require(${JSON.stringify(CLI)})`
  const args = ['-e', script, '--', ...command.split(' ')]
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  const loaded = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as string[]
  expect(loaded.map((file) => basename(file, '.cjs')).sort()).toEqual(['cli', ...parts])
})
