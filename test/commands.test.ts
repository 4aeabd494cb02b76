import { describe, expect, it } from 'vitest'
import { runCommand } from './helpers/command.ts'
import { runInProcess } from './helpers/in-process.ts'

interface Listed {
  name: string
  usage: string
  summary: string
  words: { name: string; required: boolean; many: boolean }[]
  options: { name: string; short: string | null; value: string | null }[]
  exitCodes: Record<string, string>
}

const { commands }: { commands: Listed[] } = JSON.parse(
  (await runInProcess(['commands', '--json'])).out,
)

describe('commands --json', () => {
  it('lists every command that the help lists', async () => {
    const { out } = await runInProcess(['help', '--all'])
    const helped = [...out.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, name]) => name)
    expect(new Set(commands.map(({ name }) => name.split(' ')[0]))).toEqual(new Set(helped))
    expect((await runInProcess(['commands'])).out).toBe(`${helped.join('\n')}\n`)
  })

  it.each(commands)('says of $name what its help says, and that it has --json', async (command) => {
    const { name, usage, options, exitCodes } = command
    const { out } = await runInProcess(['help', ...name.split(' ')])
    expect(Object.keys(exitCodes)).toEqual(expect.arrayContaining(['0', '1', '2']))
    expect(options.map((option) => option.name)).toContain('--json')
    // The help of a word that has several commands lists those.
    if (!out.startsWith('Usage')) return expect(out).toContain(usage.replace(/^\S+ | \[.*/g, ''))
    expect(out).toMatch(`Usage: ${usage}\n`)
    const helped = [...out.matchAll(/^ {2}(?:-\w, | {4})(--[\w-]+)/gm)].map(([, option]) => option)
    const named = options.map((option) => option.name)
    expect(named).toEqual(expect.arrayContaining(helped))
    if (!out.includes('options of start')) expect(helped).toHaveLength(named.length)
  })

  it.each([
    ['user kyc', [{ name: 'USER' }, { name: 'STATUS', required: true, many: false }]],
    ['play', [{ name: 'NAME|FILE', required: false, many: true }]],
    [
      'exec',
      [
        { name: 'COMMAND', required: true },
        { name: 'ARGUMENT', many: true },
      ],
    ],
    ['openapi', []],
  ])('knows the words of %s', (name, words) => {
    expect(commands.find((command) => command.name === name)?.words).toMatchObject(words)
  })
})

describe('--json', () => {
  it('has the place and the end of exec on stderr, beside the output of the command', async () => {
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

  it('has the script of completion, and the document of openapi', async () => {
    const parse = async (...args: string[]) =>
      JSON.parse((await runInProcess([...args, '--json'])).out)
    expect(await parse('completion', 'fish')).toEqual({
      shell: 'fish',
      script: (await runInProcess(['completion', 'fish'])).out,
    })
    expect(await parse('openapi')).toMatchObject({ openapi: '3.1.0' })
  })
})
