import { vi } from 'vitest'
import { main } from '../../src/cli/main.ts'
import type { Ended } from './command.ts'

/**
 * Runs a command line in this process, which takes a tenth of the time of `run`. What an exit code,
 * a signal or a pipe does can only be seen with a process of its own.
 */
export async function runInProcess(
  args: readonly string[],
  env: Record<string, string> = {},
  cwd = process.cwd(),
): Promise<Omit<Ended, 'signal'>> {
  const [out, err] = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation(() => true),
  )
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  // `start` replaces these, and the tests that follow in this process expect Node's own.
  for (const name of ['Request', 'Response'] as const) vi.stubGlobal(name, globalThis[name])
  const before = { exitCode: process.exitCode, cwd: process.cwd() }
  process.chdir(cwd)
  try {
    process.exitCode = undefined
    const code = await main(args)
    return { code, out: toText(out), err: toText(err) }
  } finally {
    process.exitCode = before.exitCode
    process.chdir(before.cwd)
    vi.unstubAllEnvs()
    vi.unstubAllGlobals()
    out?.mockRestore()
    err?.mockRestore()
  }
}

const toText = (spy: { mock: { calls: unknown[][] } } | undefined) =>
  (spy?.mock.calls ?? []).map(([text]) => String(text)).join('')
