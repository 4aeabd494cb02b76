import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { CLI } from './command.ts'

/** The blocks of one language in a page, in their order. */
export function blocksOf(page: string, language: string): string[] {
  const found = page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))
  return Array.from(found, ([, code = '']) => code)
}

/** By itself curl ends with 0 after a refused call, and a pipe with the code of its last command. */
const SHELL = `set -e -o pipefail
npx() { shift 3; '${process.execPath}' '${CLI}' "$@"; }
curl() { command curl --fail "$@"; }`

/** Runs the commands of a page in their order, against the sandbox at a URL. */
export function paste(commands: readonly string[], url: string, cwd?: string) {
  const script = commands.join('\n').replaceAll(/http:\/\/(127\.0\.0\.1|localhost):4100/g, url)
  const env = { ...process.env, RAMP_SANDBOX_URL: url }
  return promisify(execFile)('bash', ['-c', `${SHELL}\n${script}`], { cwd, env })
}
