import { expect, it } from 'vitest'
import { runCommand } from './helpers/command.ts'
import { runInProcess } from './helpers/in-process.ts'

interface Listed {
  name: string
  usage: string
  options: { name: string }[]
  exitCodes: Record<string, string>
}

const { commands }: { commands: Listed[] } = JSON.parse(
  (await runInProcess(['commands', '--json'])).out,
)

it('commands --json lists every command that the help lists', async () => {
  const { out } = await runInProcess(['help', '--all'])
  const helped = [...out.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, name]) => name)
  expect(new Set(commands.map(({ name }) => name.split(' ')[0]))).toEqual(new Set(helped))
  expect((await runInProcess(['commands'])).out).toBe(`${helped.join('\n')}\n`)
})

it.each([['help'], ['--help']])('help %s prints the list of commands', async (word) => {
  const { code, out } = await runInProcess(['help', word])
  expect([code, out]).toEqual([0, (await runInProcess(['help'])).out])
})

it('every command has --json except those that print only JSON anyway', () => {
  const without = commands.filter(({ options }) => options.every(({ name }) => name !== '--json'))
  expect(without.map(({ name }) => name)).toEqual(['mcp', 'openapi'])
})

it('exec --json prints the URL and the exit status on stderr, apart from the output of the command', async () => {
  const { code, out, err } = await runCommand([
    'exec',
    '--json',
    '--',
    'sh',
    '-c',
    'echo out; exit 3',
  ])
  const [ready, ended] = err
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect([code, out]).toEqual([3, 'out\n'])
  expect(ready).toMatchObject({ event: 'ready', apiKey: 'sandbox-key' })
  expect(ended).toEqual({ event: 'ended', command: 'sh', exitCode: 3 })
})
