import { AsyncLocalStorage } from 'node:async_hooks'
import { vi } from 'vitest'
import { main } from '../../src/cli/main.ts'
import type { Ended } from './command.ts'

// The commands run as if they were installed globally, also where npx or npm started the tests.
for (const name of ['npm_execpath', 'npm_lifecycle_event', 'npm_config_user_agent']) {
  delete process.env[name]
}

/**
 * Runs a command line in this process, which takes a tenth of the time of `run`. What an exit code,
 * a signal or a pipe does can only be seen with a process of its own.
 */
export async function runInProcess(
  args: readonly string[],
  env: Record<string, string> = {},
  cwd = process.cwd(),
): Promise<Omit<Ended, 'signal'>> {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  // `start` replaces these, and the tests that follow in this process expect Node's own.
  for (const name of ['Request', 'Response'] as const) vi.stubGlobal(name, globalThis[name])
  const before = { exitCode: process.exitCode, cwd: process.cwd() }
  const listeners = ENDING.map((name) => [name, process.listeners(name)] as const)
  process.chdir(cwd)
  try {
    process.exitCode = undefined
    return await runAtOnce(args)
  } finally {
    process.exitCode = before.exitCode
    process.chdir(before.cwd)
    for (const [name, kept] of listeners) removeOthers(name, kept)
    vi.unstubAllEnvs()
    vi.unstubAllGlobals()
  }
}

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A command listens for signals until its process ends; the eleventh listener would bring a warning. */
function removeOthers(name: (typeof ENDING)[number], kept: readonly NodeJS.SignalsListener[]) {
  for (const each of process.listeners(name)) if (!kept.includes(each)) process.off(name, each)
}

/** Runs a command that changes nothing of the process, so that others may run at the same time. */
export async function runAtOnce(args: readonly string[]): Promise<Omit<Ended, 'signal'>> {
  keepApart()
  const store = { out: '', err: '' }
  const code = await printed.run(store, () => main(args))
  return { code, ...store }
}

interface Printed {
  out: string
  err: string
}

const printed = new AsyncLocalStorage<Printed>()
let isKept = false

/** Keeps what is printed in the course of a command apart from what others print meanwhile. */
function keepApart(): void {
  if (isKept) return
  isKept = true
  for (const [name, field] of [['stdout', 'out'] as const, ['stderr', 'err'] as const]) {
    const stream = process[name]
    const write = stream.write.bind(stream) as (...given: unknown[]) => boolean
    stream.write = (...given: unknown[]) => {
      const store = printed.getStore()
      if (store === undefined) return write(...given)
      store[field] += String(given[0])
      return true
    }
  }
}
