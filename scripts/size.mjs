// Prints the lines of each room, of styles and of the tests, and the bytes of the packed package.
import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
console.table(countLines())
console.table(countTarball())

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
