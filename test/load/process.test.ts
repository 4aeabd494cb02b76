import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { CLI } from '../helpers/cli.ts'
import { endCommands, startCommand } from '../helpers/command.ts'
import { createFolder } from '../helpers/folder.ts'

afterAll(endCommands)
const folder = createFolder()

const START = ['start', '--port', '0', '--clock', 'frozen']

/** Starts through a shell that arranges its output or its limits. */
function startIn(script: string, readyFile: string) {
  const args = [...START, '--ready-file', readyFile]
  return spawn('sh', ['-c', script, process.execPath, CLI, ...args], {
    env: { PATH: process.env.PATH, NODE_OPTIONS: `--import ${chatter}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function urlIn(readyFile: string): Promise<string> {
  return vi.waitFor(async () => JSON.parse(await readFile(readyFile, 'utf8')).url, 10_000)
}

/** Once the ready file is there, it writes to stderr all the time. */
const CHATTER = `
import { existsSync } from 'node:fs'
setInterval(() => existsSync(process.argv.at(-1)) && process.stderr.write('x'), 5).unref()`
const chatter = join(folder, 'chatter.mjs')
writeFileSync(chatter, CHATTER)

async function expectHealthy(url: string) {
  expect((await fetch(`${url}/_sandbox/health`)).status).toBe(200)
}

describe.concurrent('start', () => {
  it('goes on when the reader of its output and its errors goes away', async () => {
    const readyFile = join(folder, 'pipe')
    const child = startIn('exec "$0" "$@" 2>&1', readyFile)
    child.stdout.destroy()
    const url = await urlIn(readyFile)
    for (let i = 0; i < 20; i++) await expectHealthy(url)
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('removes its ready file on SIGHUP', async () => {
    const readyFile = join(folder, 'hup')
    const { process: child, ended } = startCommand([...START, '--ready-file', readyFile])
    await urlIn(readyFile)
    child.kill('SIGHUP')
    expect(await ended).toMatchObject({ code: 0, signal: null })
    expect(existsSync(readyFile)).toBe(false)
  })
})
