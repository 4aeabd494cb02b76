// Runs the examples exactly as their READMEs say, against the packed package: node run.mjs [TARBALL]
// With EXAMPLES_KEPT=FOLDER it keeps what they install there; the next run only unpacks our package.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { findChromium } from '../../scripts/chromium.mjs'

const COMMAND_MAX_MS = 300_000
const { EXAMPLES_KEPT } = process.env
const here = import.meta.dirname
const root = join(here, '../..')
const chromium = findChromium()
/** What has run. After `npm install`, `npm ci` would only install the same again. */
const done = new Set(['wallet$ npm ci'])
/** In CI, which installs what the examples need, nothing is skipped. */
const isGate = process.env.TEST_DEPTH === 'full'
const counts = { passed: 0, failed: 0, skipped: 0 }

const scratch = mkdtempSync(join(tmpdir(), 'ramp-examples-'))
const [tarball = pack()] = process.argv.slice(2).map((path) => resolve(path))
const EXAMPLES = ['wallet', 'clients', 'receivers', 'jest', 'node-test', 'vitest3', 'bundler']
for (const example of EXAMPLES) {
  cpSync(join(here, example), join(scratch, example), { recursive: true, filter: isSource })
  installFrom(tarball, join(scratch, example, 'package.json'))
}
// Writes the tests of docs/ into the examples before `npm test` runs there.
const lines = readdirSync(join(root, 'docs'))
  .filter((file) => file.endsWith('.md'))
  .flatMap(linesIn)
for (const example of EXAMPLES) {
  if (takeKept(example)) done.add(`${example}$ npm install`)
  for (const line of commandsIn(join(here, example, 'README.md'))) {
    const hasPassed = await run(line, example)
    if (hasPassed && line === 'npm install') keep(example)
  }
}
for (const { line, example } of lines) await run(line, example)
// Deleting fifty thousand files can take a minute, so it goes on after the end.
spawn('rm', ['-rf', scratch], { detached: true, stdio: 'ignore' }).unref()

const { passed, failed, skipped } = counts
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
process.exitCode = failed === 0 ? 0 : 1

function pack() {
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', scratch], {
    cwd: root,
    encoding: 'utf8',
  })
  return join(scratch, packed.trim().split('\n').at(-1))
}

function isSource(path) {
  return !/node_modules|test-results|package-lock/.test(path.slice(here.length))
}

/** In a clone, an example depends on the folder of the package; here, on the packed file. */
function installFrom(file, manifestPath) {
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8'))
  manifest.devDependencies['ramp-sandbox'] = `file:${file}`
  writeFileSync(manifestPath, JSON.stringify(manifest, null, 2))
}

/** Folder of a kept install, named after all its inputs except the registry; lasts a month at most. */
function keptOf(example) {
  const manifest = readFileSync(join(here, example, 'package.json'), 'utf8')
  const month = new Date().toISOString().slice(0, 'YYYY-MM'.length)
  const from = JSON.stringify([process.version, month, manifest, ownManifest()])
  const hash = createHash('sha256').update(from).digest('hex').slice(0, 16)
  return join(EXAMPLES_KEPT, `installed-${example}-${hash}`)
}

/** Returns the parts of our package.json that affect an install. */
function ownManifest() {
  const text = readFileSync(join(root, 'package.json'), 'utf8')
  const { scripts, devDependencies, ...manifest } = JSON.parse(text)
  const hooks = Object.entries(scripts).filter(([name]) => name.endsWith('install'))
  return { ...manifest, scripts: hooks }
}

/**
 * Restores a kept install, with the package that was just packed; returns false if there is none.
 * `npm install` would do the same, because nothing that it reads has changed.
 */
function takeKept(example) {
  if (!EXAMPLES_KEPT || !existsSync(keptOf(example))) return false
  const modules = join(scratch, example, 'node_modules')
  // Links are made in a moment; another file system needs copies.
  const { status } = spawnSync('cp', ['-al', keptOf(example), modules], { stdio: 'ignore' })
  if (status !== 0) execFileSync('cp', ['-aT', keptOf(example), modules])
  const own = join(modules, 'ramp-sandbox')
  mkdirSync(own)
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', own])
  return true
}

/** Keeps what was installed, except for the package itself. */
function keep(example) {
  if (!EXAMPLES_KEPT || existsSync(keptOf(example))) return
  const old = `installed-${example}-`
  mkdirSync(EXAMPLES_KEPT, { recursive: true })
  for (const name of readdirSync(EXAMPLES_KEPT).filter((each) => each.startsWith(old))) {
    rmSync(join(EXAMPLES_KEPT, name), { recursive: true })
  }
  const draft = mkdtempSync(join(EXAMPLES_KEPT, `${old}draft-`))
  execFileSync('cp', ['-aT', join(scratch, example, 'node_modules'), draft])
  for (const own of ['ramp-sandbox', '.package-lock.json']) {
    rmSync(join(draft, own), { recursive: true })
  }
  // Renamed when complete, so that an interrupted copy is never used.
  renameSync(draft, keptOf(example))
}

/** Lines of the blocks of shell code. */
function commandsIn(path) {
  const blocks = readFileSync(path, 'utf8').matchAll(/^```sh\n([\s\S]*?)^```/gm)
  return [...blocks].flatMap(([, code]) => code.trim().split('\n'))
}

/**
 * Returns the commands of a page, which are in blocks under `<!-- run in test/examples/… -->`, and
 * writes its tests into the example.
 */
function linesIn(page) {
  const text = readFileSync(join(root, 'docs', page), 'utf8')
  const blocks = Array.from(
    text.matchAll(
      /<!-- run in test\/examples\/([\w-]+) -->\n+```(sh|yaml|js|ts)\n([\s\S]*?)^```/gm,
    ),
  )
  if (blocks.length !== text.split('<!-- run in').length - 1)
    throw new Error(
      `${page}: each <!-- run in test/examples/… --> must be directly above a block of sh, yaml, js or ts.`,
    )
  return blocks.flatMap(([, example, language, code], number) => {
    if (language === 'js' || language === 'ts') {
      const file = `test/${basename(page, '.md')}-${number}.test.${language}`
      writeFileSync(join(scratch, example, file), code)
      return []
    }
    const lines = language === 'sh' ? /^.+$/gm : /(?<=^ *- run: ).*$/gm
    return code.match(lines).map((line) => ({ example, line }))
  })
}

/**
 * Pages repeat commands of the examples: what has run in a folder is not run there again. Returns
 * whether it ran and passed.
 */
async function run(line, example) {
  const name = `${example}$ ${line}`
  if (done.has(name)) {
    console.log(`--- skipped, already run: ${name}`)
    return false
  }
  done.add(name)
  const missing = findMissing(line)
  if (missing) {
    counts[isGate ? 'failed' : 'skipped']++
    console.log(`--- not run in ${example}, there is no ${missing} on this machine: ${line}`)
    return false
  }
  console.log(`--- ${name}`)
  const code = await runToEnd(line, join(scratch, example))
  counts[code === 0 ? 'passed' : 'failed']++
  if (code !== 0) console.log(`--- ended with ${code}: ${line}`)
  return code === 0
}

async function runToEnd(line, cwd) {
  const env = { ...process.env, CI: 'true', npm_config_audit: 'false', npm_config_fund: 'false' }
  if (chromium) env.CHROMIUM = chromium
  const child = spawn('bash', ['-c', line], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), COMMAND_MAX_MS)
  const [code, signal] = await once(child, 'exit')
  clearTimeout(timer)
  return code ?? signal
}

/** What a line needs that not every machine has. */
function findMissing(line) {
  if (/test:browser|playwright/.test(line)) return chromium ? undefined : 'Chromium'
  return ['go', 'python3'].find((tool) => line.split(/\s+/).includes(tool) && !isThere(tool))
}

function isThere(tool) {
  return spawnSync('bash', ['-c', `command -v ${tool}`]).status === 0
}
