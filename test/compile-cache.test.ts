import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import * as module from 'node:module'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { endCommands, startCommand } from './helpers/command.ts'
import { createFolder } from './helpers/folder.ts'

afterAll(endCommands)

/** Starts with that cache folder, until it is ready and all is as expected. */
async function start(folder: string, expectAll = () => {}, env: Record<string, string> = {}) {
  const running = startCommand(['start', '--port', '0', '--json'], {
    env: { XDG_CACHE_HOME: folder, ...env },
  })
  await running.says(/"event":"ready"/)
  await vi.waitFor(expectAll, 30_000)
  running.process.kill('SIGTERM')
  expect((await running.ended).code).toBe(0)
}

/** Until the compiled code is there. */
const startAndKeep = (folder: string) =>
  start(folder, () => {
    const sizes = filesOf(folder).map((name) => statSync(join(folder, 'ramp-sandbox', name)).size)
    expect(sizes.filter((size) => size > 10_000)).toHaveLength(2)
  })

const filesOf = (folder: string) => readdirSync(join(folder, 'ramp-sandbox')).sort()

// From Node 22.1 on Node itself does this.
describe.skipIf('enableCompileCache' in module)('compiled code', () => {
  it('is kept for its user alone, and made again where it is broken', async () => {
    const folder = createFolder()
    await startAndKeep(folder)
    const files = filesOf(folder).map((name) => join(folder, 'ramp-sandbox', name))
    for (const file of files) {
      expect(statSync(file).mode & 0o077).toBe(0)
      writeFileSync(file, 'broken')
    }
    await startAndKeep(folder)
    // One that others could have written is not read, so it is made again.
    const [planted = ''] = files
    chmodSync(planted, 0o666)
    await start(folder, () => expect(statSync(planted).mode & 0o077).toBe(0))
  })
})
