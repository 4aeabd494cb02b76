import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')
const run = (command, ...args) => execFileSync(command, args, { cwd: root, encoding: 'utf8' })

export const packedSize = {
  name: 'packed tarball',
  unit: 'kB',
  aim: { under: 600 },
  async measure() {
    if (!existsSync(join(root, 'dist/index.d.ts'))) run('npm', 'run', '--silent', 'build:types')
    const [{ size }] = JSON.parse(run('npm', 'pack', '--json', '--ignore-scripts', '--dry-run'))
    return [{ ours: size / 1000 }]
  },
}
