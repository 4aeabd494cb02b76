import { loadFetchClassesLate } from './late-fetch.ts'
import { main } from './main.ts'

export async function runProgram(args: readonly string[]): Promise<void> {
  // The reader of a pipe may stop early, as `| head` does, and a disk may be full. A sandbox goes on
  // without anyone who reads; a command whose output was lost for another reason says so.
  process.stderr.on('error', () => {})
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exitCode = 1
  })
  try {
    bypassProxyForLoopback(process.env)
    loadFetchClassesLate()
    process.exitCode = await main(args)
  } catch (error) {
    // A bug: only the stack, because Node would print the whole line of the bundle before it.
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    process.exit(1)
  }
}

const LOOPBACK = ['localhost', '127.0.0.1', '::1']

/**
 * Adds loopback to what goes past an outbound proxy, for this process and for what it starts: a proxy
 * elsewhere would ask itself for the sandbox. Programs disagree about the case of the name.
 */
function bypassProxyForLoopback(env: NodeJS.ProcessEnv): void {
  const hosts = (env.no_proxy ?? env.NO_PROXY ?? '').split(/[\s,]+/).filter((host) => host !== '')
  if (hosts.includes('*')) return
  const all = [...new Set([...hosts, ...LOOPBACK])].join(',')
  env.no_proxy = all
  env.NO_PROXY = all
}
