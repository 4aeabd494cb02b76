// Removes the types that the package's exports do not reach, as they name bundled libraries, which a
// user of the package does not have.
import { readdir, readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const dist = join(import.meta.dirname, '../dist')
const { exports } = JSON.parse(await readFile(join(dist, '../package.json'), 'utf8'))
const entries = Object.values(exports).flatMap((entry) => entry.import?.types ?? [])

const reached = new Set()
for (const entry of entries) await reach(join(dist, '..', entry))
const files = await readdir(dist, { recursive: true })
const types = files.filter((file) => file.endsWith('.d.ts')).map((file) => join(dist, file))
await Promise.all(types.filter((file) => !reached.has(file)).map((file) => rm(file)))
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
