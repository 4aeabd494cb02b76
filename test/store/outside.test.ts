import { copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { KEY } from '../helpers/app.ts'
import { endCommands, runCommand, startSandbox } from '../helpers/command.ts'
import { isFullDepth } from '../helpers/depth.ts'
import { readState } from '../helpers/state.ts'
import { type Folder, openFolder, openKept } from './kept.ts'

const CLIENTS = 4
const WRITES = 40
const PATIENCE = { timeout: 20_000 }

type Interfere = (file: string, other: string) => void
const GONE: [string, Interfere][] = [
  ['mv of it', (file) => renameSync(file, `${file}.moved`)],
  ['rm', (file) => rmSync(file)],
]
/** These are harder to notice: there is a file under the name. */
const REPLACED: [string, Interfere][] = [
  ['mv of another file to it', (file, other) => renameSync(other, file)],
  ['cp of another file to it', (file, other) => copyFileSync(other, file)],
]

afterAll(endCommands)

/** Clients that register users until nobody responds any more, and who was acknowledged. */
function load(url: string) {
  const acknowledged: string[] = []
  let isKilled = false
  const work = async (client: number) => {
    for (let i = 0; ; i++) {
      const email = `user-${client}-${i}@example.com`
      const response = await fetch(`${url}/v2/users`, {
        method: 'POST',
        headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
        body: JSON.stringify({ email }),
      })
      expect([response.status, await response.text()]).toEqual([200, expect.anything()])
      acknowledged.push(email)
    }
  }
  const clients = Array.from({ length: CLIENTS }, (_, client) =>
    work(client).catch((error) => {
      if (!isKilled) throw error
    }),
  )
  return {
    acknowledged,
    /** Waits until so many more were acknowledged. */
    async goOn() {
      const before = acknowledged.length
      await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before + WRITES), PATIENCE)
    },
    async end(kill: () => unknown) {
      isKilled = true
      kill()
      await Promise.all(clients)
    },
  }
}

async function storageOf(url: string) {
  const response = await fetch(`${url}/_sandbox/health`)
  return ((await response.json()) as { storage: { status: string; reason: string } }).storage
}

async function expectAll(file: string, emails: string[]) {
  await using kept = await openKept(file)
  const state = await readState(kept.app)
  expect(emails.filter((email) => !state.includes(`"${email}"`))).toEqual([])
}

async function makeOther(folder: Folder): Promise<string> {
  await (await openKept(folder.path('other')))[Symbol.asyncDispose]()
  return folder.path('other')
}

describe('a data file under load that is killed after', () => {
  it.each(isFullDepth ? [...GONE, ...REPLACED] : REPLACED)(
    '%s lost nothing that was acknowledged, and the log says where it is',
    {
      timeout: 60_000,
    },
    async (_, interfere) => {
      using folder = openFolder()
      const other = await makeOther(folder)
      const { process, ready, ended } = await startSandbox(['--data', folder.file])
      const clients = load(ready.url)
      await clients.goOn()
      interfere(folder.file, other)
      await vi.waitFor(
        async () => expect((await storageOf(ready.url)).status).toBe('replaced'),
        PATIENCE,
      )
      await clients.goOn()
      const { reason } = await storageOf(ready.url)
      await clients.end(() => process.kill('SIGKILL'))
      expect((await ended).err).toBe(`ramp-sandbox: WARNING: ${reason}\n`)
      const kept = `${folder.file}.kept`
      expect(reason.includes(`--data ${kept}`)).toBe(existsSync(kept))
      await expectAll(existsSync(kept) ? kept : folder.file, clients.acknowledged)
    },
  )

  it('a hard link lost nothing, and nobody else had it under that name', {
    timeout: 60_000,
  }, async () => {
    using folder = openFolder()
    const { process, ready, ended } = await startSandbox(['--data', folder.file])
    const clients = load(ready.url)
    await clients.goOn()
    const linked = folder.path('linked')
    linkSync(folder.file, linked)
    const second = await runCommand(['start', '--port', '0', '--data', linked])
    expect([second.code, second.err]).toEqual([
      2,
      expect.stringContaining(`linked is in use by process ${process.pid}`),
    ])
    await clients.goOn()
    await clients.end(() => process.kill('SIGKILL'))
    expect((await ended).err).toBe('')
    await expectAll(linked, clients.acknowledged)
    await expectAll(folder.file, clients.acknowledged)
  })
})
