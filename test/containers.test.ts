import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { connectSandbox } from '../src/client/connect.ts'
import { endCommands, startSandbox } from './helpers/command.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../docs/sharing.md'), 'utf8')
const blocks = [...PAGE.matchAll(/^```(ts|java|go)\n([\s\S]*?)^```/gm)]

afterAll(endCommands)

it.each(blocks.map(([, language, code = '']) => [language, code] as const))(
  'the container that the page on sharing describes for Testcontainers starts, and Alice can buy in it, in %s',
  async (_, block) => {
    const [, command = ''] = /(?:withCommand\(|Cmd: +\[\]string\{)([^)}]*)/.exec(block) ?? []
    const [, token = ''] = /(?:TOKEN = |CONTROL_TOKEN"[:,] )['"](.+?)['"]/.exec(block) ?? []
    const [name, ...args] = [...command.matchAll(/['"](.+?)['"]/g)].map(([, word = '']) => word)
    expect(name).toBe('start')
    const { ready, process } = await startSandbox(args, {
      env: { RAMP_SANDBOX_CONTROL_TOKEN: token },
    })
    const sandbox = connectSandbox(ready.url, { controlToken: token })
    const { transaction } = await sandbox.buy('alice@example.com', { cad: 250 })
    expect(transaction.status).toBe('pending request money transfer')
    process.kill()
  },
)
