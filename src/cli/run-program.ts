import { main } from './main.ts'

export async function runProgram(args: readonly string[]): Promise<void> {
  // A pipe may close early, as with `| head`, and a disk may be full. A sandbox keeps running
  // without its output. A closed pipe is no failure; output lost for another reason ends with exit
  // code 1.
  process.stderr.on('error', () => {})
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exitCode = 1
  })
  try {
    bypassProxyForLoopback(process.env)
    process.exitCode = await main(args)
  } catch (error) {
    // A bug: only the stack, because Node would print the whole line of the bundle before it.
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    process.exit(1)
  }
}

const LOOPBACK = ['localhost', '127.0.0.1', '::1']

/**
 * Excludes loopback from an outbound proxy, for this process and its children: a remote proxy would
 * look for the sandbox on its own machine. Programs disagree about the case of the variable.
 */
function bypassProxyForLoopback(env: NodeJS.ProcessEnv): void {
  const hosts = (env.no_proxy ?? env.NO_PROXY ?? '').split(/[\s,]+/).filter((host) => host !== '')
  if (hosts.includes('*')) return
  const all = [...new Set([...hosts, ...LOOPBACK])].join(',')
  env.no_proxy = all
  env.NO_PROXY = all
}
