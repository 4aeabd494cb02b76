import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Includes what the package leaves out of the examples. */
const NEVER_RUN =
  /\.(map|md|d\.c?ts)$|^test\/examples\/([^/]+\/)*(node_modules|dist)\/|\/package-lock\.json$/

/** The files of the package that run or are read while it runs, in an order that is always the same. */
export async function listContents() {
  const { files } = JSON.parse(await readFile('package.json', 'utf8'))
  const folders = files.filter((path) => !path.startsWith('!') && !path.includes('.'))
  const inside = await Promise.all(folders.map(listFolder))
  return ['package.json', ...inside.flat().filter((path) => !NEVER_RUN.test(path))].sort()
}

async function listFolder(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((it) => it.isFile()).map((it) => join(it.parentPath ?? it.path, it.name))
}
