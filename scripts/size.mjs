// How much there is: lines of each room, for people; and, beside size.json, the bytes of the files of
// the package, the modules that a start runs and the tarball. Of these a number that rose fails;
// `npm run size -- --write` records the new ones, and the commit that does so says why.
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const record = join(root, 'size.json')
/** Bytes may differ by so much from one build to the next version of a tool. */
const BYTES_TOLERANCE = 0.01

console.table(countLines())

const actual = { bytes: countBytes(), tarball: countTarball(), modules: countModules() }
const expected = JSON.parse(readFileSync(record, 'utf8'))
const rows = Object.entries(actual).flatMap(([kind, numbers]) => {
  const names = new Set([...Object.keys(expected[kind] ?? {}), ...Object.keys(numbers)])
  return [...names].map((name) =>
    toRow(kind, name, expected[kind]?.[name] ?? 0, numbers[name] ?? 0),
  )
})
console.table(Object.fromEntries(rows.map(({ name, ...row }) => [name, row])))

if (process.argv.includes('--write')) {
  writeFileSync(record, `${JSON.stringify(actual, null, 2)}\n`)
} else {
  const grown = rows
    .filter(({ grew }) => grew)
    .map(({ name, now, was }) => `${name}: ${was} → ${now}`)
  if (grown.length > 0) {
    console.error(`Grown since size.json was written:\n  ${grown.join('\n  ')}`)
    console.error('Make it smaller, or run `npm run size -- --write` and say why in the commit.')
    process.exitCode = 1
  }
}

function toRow(kind, name, was, now) {
  const max = kind === 'modules' ? was : was * (1 + BYTES_TOLERANCE)
  return { name: `${kind} ${name}`, was, now, change: now - was, grew: now > max }
}

/** Lines of TypeScript in each folder of src/, of styles and of the tests. */
function countLines() {
  const lines = {}
  for (const path of filesIn('src').filter((each) => /\.tsx?$/.test(each))) {
    const [, room] = path.split('/')
    add(lines, path.split('/').length > 2 ? `src/${room}` : 'src', linesOf(path))
  }
  const total = Object.values(lines).reduce((sum, each) => sum + each, 0)
  const styles = filesIn('src').filter((path) => path.endsWith('.css'))
  const tests = filesIn('test').filter((path) => /\.(tsx?|m?js)$/.test(path))
  return {
    ...lines,
    'all of src': total,
    css: styles.reduce((sum, path) => sum + linesOf(path), 0),
    test: tests.reduce((sum, path) => sum + linesOf(path), 0),
  }
}

function add(numbers, name, more) {
  numbers[name] = (numbers[name] ?? 0) + more
}

/** The files that git knows or would add: no build products and no packages. */
function filesIn(folder) {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', folder]
  const paths = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  return paths
    .split('\n')
    .filter((path) => path !== '' && statSync(join(root, path), { throwIfNoEntry: false }))
}

function linesOf(path) {
  return readFileSync(join(root, path), 'utf8').split('\n').length - 1
}

/** Bytes of each file that the package has in dist/. Types are counted with the tarball. */
function countBytes() {
  const bytes = {}
  for (const entry of readdirSync(join(root, 'dist'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(root.length + 1).replaceAll('\\', '/')
    if (name.endsWith('.map') || /\.d\.c?ts$/.test(name)) continue
    add(bytes, name, statSync(path).size)
  }
  return bytes
}

/** Bytes of what `npm pack` makes, which builds the package and its types first. */
function countTarball() {
  const args = ['pack', '--dry-run', '--json']
  const text = execFileSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [{ size, unpackedSize }] = JSON.parse(text.slice(text.indexOf('[\n')))
  return { packed: size, unpacked: unpackedSize }
}

/** Files of the package that a start loads, and built-in modules of Node that it draws in. */
function countModules() {
  const script = `
    const before = new Set(process.moduleLoadList)
    const { createRequire } = require('node:module')
    process.argv = [process.argv[0], 'ramp-sandbox', 'start', '--port', '0', '--json']
    const { write } = process.stdout
    process.stdout.write = function (text, ...rest) {
      if (!String(text).includes('"ready"')) return write.call(this, text, ...rest)
      const files = Object.keys(createRequire('/').cache).length
      const builtIn = process.moduleLoadList.filter((name) => !before.has(name)).length
      process.stderr.write(JSON.stringify({ files, builtIn }), () => process.exit(0))
      return true
    }
    import(${JSON.stringify(new URL('../dist/cli.cjs', import.meta.url).href)})`
  const { stderr } = spawnSync(process.execPath, ['--eval', script], {
    cwd: root,
    encoding: 'utf8',
  })
  const { files, builtIn } = JSON.parse(stderr.slice(stderr.lastIndexOf('{"files"')))
  return { 'files of the package': files, 'built-in modules': builtIn }
}
