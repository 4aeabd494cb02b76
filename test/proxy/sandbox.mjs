import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const CLI = join(import.meta.dirname, '../../dist/cli.cjs')

/** The document as the command line prints it. */
export function readDocument(name) {
  const args = name === 'control' ? ['--control'] : []
  return JSON.parse(execFileSync(process.execPath, [CLI, 'openapi', ...args], BIG))
}

const BIG = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }

/** A sandbox on a free port. */
export async function startSandbox() {
  const child = spawn(process.execPath, [CLI, 'start', '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    if (!line.value.includes('"event":"ready"')) continue
    const { url } = JSON.parse(line.value)
    return { url, stop: () => stop(child) }
  }
  throw new Error('The sandbox did not start.')
}

/** Runs the command line to its end and answers its exit code. */
export async function runCli(args) {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: 'inherit' })
  const [code] = await once(child, 'close')
  return code
}

async function stop(child) {
  child.kill()
  await once(child, 'close')
}
