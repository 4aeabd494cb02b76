import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CONTROL_OPERATIONS } from '../src/control-api/index.ts'
import { ERRORS } from '../src/world/settings/errors.ts'
import { SETTING_IDS, settingOf } from '../src/world/settings/index.ts'
import { runInProcess } from './helpers/in-process.ts'

interface Command {
  name: string
  usage: string
  options: { name: string }[]
  exitCodes: Record<string, string>
}

/** Options of every command that calls a sandbox. */
const COMMON = ['--url', '--control-token', '--json']

it('the sandbox keeps the promises of docs/stability.md, as listed in test/stability.txt', async () => {
  const { out } = await runInProcess(['commands', '--json'])
  const { commands }: { commands: Command[] } = JSON.parse(out)
  const exportsOf = (file: string) =>
    readFileSync(join(import.meta.dirname, '../src', file), 'utf8')
      .replaceAll(/\btype\b|\w+ as |from '.*'|[{},]|export/g, ' ')
      .split(/\s+/)
      .filter(Boolean)
      .map((name) => `export ${file.replace('.ts', '')} ${name}`)
  const lines = [
    ...SETTING_IDS.map((id) => {
      const setting = settingOf(id)
      return `setting ${id} ${setting.format(setting.default as never)}`
    }),
    ...Object.keys(ERRORS).map((code) => `error ${code}`),
    ...CONTROL_OPERATIONS.map(({ as, method, path }) => `control ${as} ${method} ${path}`),
    ...commands.map(({ name, options, exitCodes }) => {
      const own = options.map((option) => option.name).filter((option) => !COMMON.includes(option))
      return ['command', name, ...own, Object.keys(exitCodes).join('')].join(' ')
    }),
    ...exportsOf('index.ts'),
    ...exportsOf('vitest.ts'),
  ]
  // A line that goes or changes waits for a minor version and is named in CHANGELOG.md. After that,
  // and for new lines, run `npx vitest run test/stability.test.ts --update`.
  await expect(`${lines.toSorted().join('\n')}\n`).toMatchFileSnapshot('stability.txt')
})
