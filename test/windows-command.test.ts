import { describe, expect, it } from 'vitest'
import { quoteForBatch, quoteForProgram, toWindowsCommand } from '../src/cli/windows-command.ts'

const NODE = 'C:\\Program Files\\nodejs'

function machineWith(...files: string[]) {
  const env = {
    Path: `C:\\Windows;"${NODE}"`,
    PATHEXT: '.COM;.EXE;.BAT;.CMD',
    ComSpec: 'C:\\cmd.exe',
  }
  return { env, isFile: (path: string) => files.includes(path) }
}

/** What cmd.exe leaves of a line that it reads outside quotes. */
const readByCmd = (line: string) => line.replace(/\^([\s\S])/g, '$1')

/** How a program splits one quoted argument, by the rules of Microsoft's C runtime. */
function readByProgram(quoted: string): string {
  const inner = quoted.slice(1, -1)
  return inner.replace(/(\\+)($|")/g, (_, slashes: string, end: string) => {
    return slashes.slice(0, Math.floor(slashes.length / 2)) + end
  })
}

describe('on Windows, exec', () => {
  it('finds npm.cmd by PATH and PATHEXT, and runs it by cmd.exe', () => {
    const found = toWindowsCommand('npm', ['test'], machineWith(`${NODE}\\npm.cmd`))
    expect(found).toEqual({
      file: 'C:\\cmd.exe',
      args: ['/d', '/s', '/v:off', '/c', '"C:\\Program^ Files\\nodejs\\npm.cmd ^^^"test^^^""'],
      windowsVerbatimArguments: true,
    })
  })

  it('starts a program itself, which comes before a batch file of its name', () => {
    const machine = machineWith(`${NODE}\\node.exe`, `${NODE}\\node.cmd`)
    const found = toWindowsCommand('node', ['a b'], machine)
    expect(found).toEqual({
      file: `${NODE}\\node.exe`,
      args: ['a b'],
      windowsVerbatimArguments: false,
    })
  })

  it.each(['a b "c" 100%PATH% a^b !v!', 'a&calc|b>c<d (a;b,c)', 'x\\', 'x\\"y', ''])(
    'passes %s as it is, through a batch file',
    (text) => {
      const line = quoteForBatch(text)
      const onceRead = readByCmd(line)
      expect(line.replace(/\^[\s\S]/g, '')).not.toMatch(/[&|<>"%!()]/)
      expect(onceRead.replace(/\^[\s\S]/g, '')).not.toMatch(/[&|<>"%!()]/)
      expect(readByCmd(onceRead)).toBe(quoteForProgram(text))
      expect(readByProgram(quoteForProgram(text))).toBe(text)
    },
  )
})
