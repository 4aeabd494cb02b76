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

it.each([
  [['user', 'foo'], 'user has no command foo; use one of add, list, '],
  [['user', 'kyc', 'foo', 'bar', 'baz'], 'user kyc has no command baz'],
  [['start', 'foo'], 'start has no command foo.'],
])('help %j names the word that is no command', async (words, sentence) => {
  const { code, out, err } = await runInProcess(['help', ...words])
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain(sentence)
})

it('help names the options of start that a command does not take', async () => {
  const except = async (name: string) =>
    /options of start except (.+):/.exec((await runInProcess(['help', name])).out)?.[1]
  expect(await except('exec')).toBe('--data and --port')
  expect(await except('mcp')).toBe('--log, --json and --no-control')
})

it('help says where none is a value', async () => {
  const { out } = await runInProcess(['help', 'webhook', 'set'])
  expect(out).toContain('URL: where v2 events go; none for nowhere\n')
})
