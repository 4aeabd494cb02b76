import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CLI } from '../helpers/command.ts'
import { createFolder } from '../helpers/folder.ts'

const folder = createFolder()

/** Once the file BEGUN is there, it writes to stderr all the time. */
const CHATTER = `
import { existsSync } from 'node:fs'
setInterval(() => existsSync(process.env.BEGUN) && process.stderr.write('x'), 5).unref()`

it('start keeps running when the reader of its stdout and stderr goes away', async () => {
  const [chatter, begun] = [join(folder, 'chatter.mjs'), join(folder, 'begun')]
  writeFileSync(chatter, CHATTER)
  const args = ['start', '--port', '0', '--clock', 'frozen', '--json', '--log', 'all']
  const child = spawn('sh', ['-c', 'exec "$0" "$@" 2>&1', process.execPath, CLI, ...args], {
    env: { PATH: process.env.PATH, NODE_OPTIONS: `--import ${chatter}`, BEGUN: begun },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [line] = await once(child.stdout, 'data')
  const { url } = JSON.parse(String(line))
  child.stdout.destroy()
  writeFileSync(begun, '')
  for (let i = 0; i < 20; i++) expect((await fetch(`${url}/_sandbox/health`)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})
