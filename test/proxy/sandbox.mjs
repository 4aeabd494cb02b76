import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { CLI } from '../helpers/sandbox.mjs'

/** The document as the command line prints it. */
export function readDocument(name) {
  const args = name === 'control' ? ['--control'] : []
  return JSON.parse(execFileSync(process.execPath, [CLI, 'openapi', ...args], BIG))
}

const BIG = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }

/** Runs the command line to its end and returns its exit code. */
export async function runCli(args) {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: 'inherit' })
  const [code] = await once(child, 'close')
  return code
}
