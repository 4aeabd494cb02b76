// Removes the types that the package's exports do not reach, as they name bundled libraries, which a
// user of the package does not have. Writes the entries once more for CommonJS, which asks for .cts.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const dist = join(import.meta.dirname, '../dist')
const { exports } = JSON.parse(await readFile(join(dist, '../package.json'), 'utf8'))
const entries = Object.values(exports).flatMap((entry) => entry.import?.types ?? [])
const AS_IMPORTED = "{ 'resolution-mode': 'import' }"

const reached = new Set()
for (const entry of entries) await reach(join(dist, '..', entry))
const files = await readdir(dist, { recursive: true })
const types = files.filter((file) => file.endsWith('.d.ts')).map((file) => join(dist, file))
await Promise.all(types.filter((file) => !reached.has(file)).map((file) => rm(file)))
for (const entry of entries) await writeForCommonJs(join(dist, '..', entry))
console.log(`types: ${reached.size} files of ${types.length}`)

async function reach(file) {
  if (reached.has(file)) return
  reached.add(file)
  const text = await readFile(file, 'utf8')
  const [library] = /(?<=from ')(?!\.|node:|vitest')[^']+/.exec(text) ?? []
  if (library) throw new Error(`${file} names ${library}, which users of the package do not have`)
  for (const [, path] of text.matchAll(/(?:from|import\()\s*['"](\.[^'"]+)\.tsx?['"]/g)) {
    await reach(`${resolve(file, '..', path)}.d.ts`)
  }
}

/** The same types by `require`: what it exports is the same, too. */
async function writeForCommonJs(file) {
  const text = await readFile(file, 'utf8')
  const lines = text.matchAll(/export (type )?\{([^}]*)\} from '([^']+)'/g)
  const written = Array.from(lines, ([, isType, list, path]) => {
    const names = list.split(',').flatMap((name) => name.trim() || [])
    const types = names.filter((name) => isType || name.startsWith('type '))
    const from = `import('${path}', { with: ${AS_IMPORTED} })`
    const values = names
      .filter((name) => !types.includes(name))
      .map((name) => `export declare const ${name}: typeof ${from}.${name}\n${typeOf(name, from)}`)
    const plain = types.map((name) => name.replace(/^type /, '')).join(', ')
    return `export type { ${plain} } from '${path}' with ${AS_IMPORTED}\n${values.join('')}`
  })
  await writeFile(file.replace(/\.ts$/, '.cts'), written.join(''))
}

/** A class is a type, too. */
function typeOf(name, from) {
  if (/^[a-z]/.test(name)) return ''
  return `export type ${name} = InstanceType<typeof ${from}.${name}>\n`
}
