import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CLI, startProgram, untilReady } from '../helpers/command.ts'
import { openPage, useBrowser } from './browser.ts'
import { apiOf } from './sandbox.ts'

useBrowser()

/** A program whose files may not grow past this, until it is allowed more. */
const LIMIT = 'ulimit -S -f 48 && exec "$0" "$@"'

it('every page says that changes are not being saved, and why, until they are', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ramp-sandbox-storage-'))
  try {
    const options = ['start', '--port', '0', '--json', '--data', join(folder, 'worlds')]
    const program = startProgram(['sh', '-c', LIMIT, process.execPath, CLI, ...options])
    const { url, inspectorUrl } = (await untilReady(program)).ready
    const page = await openPage(inspectorUrl)
    const banner = page.getByRole('alert')
    const main = page.locator('#main')
    await expect.poll(() => main.innerText()).toContain('All changes are saved')
    expect(await banner.count()).toBe(0)

    const { api } = apiOf(url)
    const makeUsers = async () => {
      for (let i = 0; i < 100; i++) await api('POST', '/users', { email: `${i}@example.com` })
    }
    await expect(makeUsers()).rejects.toThrow('not yet on disk')
    await expect.poll(() => banner.innerText()).toMatch(/^Changes are not being saved: EFBIG/)
    expect(await main.innerText()).toContain('Changes are not being saved: EFBIG')
    await page.getByRole('link', { name: 'Users' }).first().click()
    await expect.poll(() => page.url()).toContain('/users')
    await expect.poll(() => banner.innerText()).toContain('not being saved')

    spawnSync('prlimit', ['--pid', String(program.process.pid), '--fsize=unlimited'])
    await expect.poll(() => banner.count()).toBe(0)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
