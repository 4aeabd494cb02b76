import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { createReceiver } from '../src/client/receiver.ts'
import { CLI } from './helpers/command.ts'
import { isFullDepth } from './helpers/depth.ts'
import { createFolder } from './helpers/folder.ts'
import { findFreePort } from './helpers/sandbox.mjs'

const SKILL = readFileSync(join(import.meta.dirname, '../skills/ramp-sandbox/SKILL.md'), 'utf8')

const folder = createFolder()
/** `npx --no -- ramp-sandbox` is what was built. */
const NPX = `#!/bin/sh
shift 3
exec ${JSON.stringify(process.execPath)} ${JSON.stringify(CLI)} "$@"
`
/** What was started ends with the shell. */
const PRELUDE = `set -euo pipefail
trap 'kill $(jobs -p)' EXIT
`

const blocks = [...SKILL.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]

it.runIf(isFullDepth)(
  'the skill prints what it says, when its blocks are pasted into a shell one after the other',
  async () => {
    await using receiver = await createReceiver()
    const port = await findFreePort()
    const own = (text: string) =>
      text
        .replaceAll('127.0.0.1:4100', `127.0.0.1:${port}`)
        .replaceAll('--port 4100', `--port ${port}`)
        .replaceAll('http://localhost:3000/hooks', receiver.url)
    const textsIn = (of: string) =>
      blocks.filter(([, language]) => language === of).map(([, , text = '']) => own(text))
    writeFileSync(join(folder, 'npx'), NPX, { mode: 0o755 })
    const env = { PATH: `${folder}:${process.env.PATH}` }
    const options = { env, cwd: folder }
    const { stdout } = await promisify(execFile)(
      'bash',
      ['-c', PRELUDE + textsIn('sh').join('')],
      options,
    )
    expect(stdout).toBe(textsIn('text').join(''))
    expect(receiver.received.length).toBeGreaterThan(8)
  },
)
