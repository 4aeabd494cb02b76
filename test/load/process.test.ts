import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { CLI } from '../helpers/command.ts'
import { createFolder } from '../helpers/folder.ts'

const folder = createFolder()

/** Once the ready file is there, it writes to stderr all the time. */
const CHATTER = `
import { existsSync } from 'node:fs'
setInterval(() => existsSync(process.argv.at(-1)) && process.stderr.write('x'), 5).unref()`

it('a start goes on when the reader of its output and its errors goes away', async () => {
  const [chatter, readyFile] = [join(folder, 'chatter.mjs'), join(folder, 'ready')]
  writeFileSync(chatter, CHATTER)
  const args = ['start', '--port', '0', '--clock', 'frozen', '--ready-file', readyFile]
  const child = spawn('sh', ['-c', 'exec "$0" "$@" 2>&1', process.execPath, CLI, ...args], {
    env: { PATH: process.env.PATH, NODE_OPTIONS: `--import ${chatter}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.destroy()
  const url = await vi.waitFor(
    async () => JSON.parse(await readFile(readyFile, 'utf8')).url,
    10_000,
  )
  for (let i = 0; i < 20; i++) expect((await fetch(`${url}/_sandbox/health`)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})
