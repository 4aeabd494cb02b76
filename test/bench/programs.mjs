// Whole processes: a start, a run, the build, and the package on a machine that has nothing yet.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { run, stop } from '../helpers/sandbox.mjs'
import { npm, residentKb, startServer } from './processes.mjs'
import { newFolder, root } from './sandbox.mjs'
import { forEachBuild, takeTime, takeTurns } from './turns.mjs'

const BARE = join(import.meta.dirname, 'bare-http.mjs')
/** Longer than a start waits before it keeps what it compiled. */
const KEPT_AFTER_MS = 1_500

export async function measureStart({ builds, nodes }) {
  const rows = []
  for (const [version, node] of Object.entries(nodes)) {
    const toArgs = (build) => [join(build, 'dist/cli.cjs'), 'start', '--port', '0', '--json']
    const sides = { ...(await forEachBuild(builds, toArgs)), bare: [BARE] }
    // The first one lives until what it compiled is kept.
    for (const args of Object.values(sides)) await startOnce(args, { node, lifeMs: KEPT_AFTER_MS })
    const starts = await takeTurns(sides, { rounds: 12, warmUps: 1 }, (args) =>
      startOnce(args, { node }),
    )
    const toFigures = (field) =>
      Object.fromEntries(
        Object.entries(starts).map(([side, each]) => [side, each.map((start) => start[field])]),
      )
    rows.push({
      name: `start to the ready line, Node ${version}`,
      unit: 'ms',
      aim: version.startsWith('20.') ? {} : { times: 1.35 },
      figures: toFigures('ms'),
    })
    rows.push({
      name: `resident memory after start, Node ${version}`,
      unit: 'kB',
      aim: { times: 1.2 },
      figures: toFigures('kb'),
    })
  }
  return rows
}

async function startOnce(args, { node, lifeMs = 0 }) {
  const server = await startServer(args, { node })
  const kb = residentKb(server.pid)
  await wait(lifeMs)
  await server.stop()
  return { ms: server.readyMs, kb }
}

/** Whole runs of a command or a script. */
export async function measureRuns({ builds }) {
  const measure = (sides) =>
    takeTurns(sides, { rounds: 12, warmUps: 1 }, (args) =>
      takeTime(() => execFileSync(process.execPath, args, { stdio: 'ignore' })),
    )
  const toExec = (build) => [join(build, 'dist/cli.cjs'), 'exec', '--', 'true']
  const toScript = (build) => [
    '-e',
    `const { createSandbox } = require(${JSON.stringify(join(build, 'dist/index.cjs'))})
    createSandbox().then((sandbox) => sandbox.close())`,
  ]
  const scripts = { ...(await forEachBuild(builds, toScript)), bare: ['-e', '0'] }
  return [
    {
      name: 'exec -- true',
      unit: 'ms',
      aim: { most: 180 },
      figures: await measure(await forEachBuild(builds, toExec)),
    },
    {
      name: 'require, createSandbox and close',
      unit: 'ms',
      aim: {},
      figures: await measure(scripts),
    },
  ]
}

export async function measureBuild() {
  const build = () =>
    takeTime(() =>
      execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'ignore' }),
    )
  const builds = await takeTurns({ now: undefined }, { rounds: 5 }, build)
  return [
    { name: 'npm run build', unit: 'ms', aim: { most: 4_000 }, figures: builds },
    {
      name: 'change in src to a running server, npm run dev',
      unit: 'ms',
      aim: { most: 1_500 },
      figures: { now: await measureDev() },
    },
  ]
}

async function measureDev() {
  const { dev } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts
  const args = [...dev.split(' ').slice(1), '--port', '0', '--json']
  const child = run(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const untilReady = async () => {
    let line
    do line = (await lines.next()).value
    while (!line.startsWith('{'))
  }
  await untilReady()
  const file = join(root, 'src/world/world.ts')
  const measured = []
  for (let i = 0; i < 5; i++) {
    // The watcher needs a moment until it watches again.
    await wait(1_000)
    writeFileSync(file, readFileSync(file))
    measured.push(await takeTime(untilReady))
  }
  await stop(child)
  return measured
}

/** What `npm pack` makes, and what `npx` does with it on a machine that has nothing yet. */
export async function measurePackage({ builds, nodes }) {
  const pack = (cwd, ...args) => {
    const text = npm(['pack', '--json', ...args], { cwd })
    // The build that goes before prints lines of its own.
    return JSON.parse(text.slice(text.indexOf('[\n')))[0]
  }
  const folder = newFolder()
  const { filename, size } = pack(root, `--pack-destination=${folder}`)
  const figures = { now: [size / 1_000] }
  if (builds.before)
    figures.before = [pack(builds.before, '--dry-run', '--ignore-scripts').size / 1_000]
  const rows = [{ name: 'packed tarball', unit: 'kB', aim: { most: 450 }, figures }]
  for (const [version, node] of Object.entries(nodes)) {
    const runs = []
    for (let i = 0; i < 3; i++) runs.push(await runInEmptyFolder(node, join(folder, filename)))
    const name = `npx on an empty machine, Node ${version}`
    const toRow = (what, unit, field, aim = {}) => ({
      name: `${name}: ${what}`,
      unit,
      aim,
      figures: { now: runs.map((each) => each[field]) },
    })
    rows.push(
      toRow('to the ready line', 'ms', 'ms'),
      toRow('packages installed', '', 'packages', { most: 1 }),
      toRow('installed', 'kB', 'kb'),
    )
  }
  return rows
}

/** With npm's `npx` on this Node, an empty cache and an empty folder. */
async function runInEmptyFolder(node, tarball) {
  const [cwd, cache] = [newFolder(), newFolder()]
  const npx = join(npm(['root', '--global']).trim(), 'npm/bin/npx-cli.js')
  const args = ['--yes', `--package=${tarball}`, 'ramp-sandbox', 'start', '--port', '0', '--json']
  const env = {
    ...process.env,
    PATH: `${dirname(node)}:${process.env.PATH}`,
    npm_config_cache: cache,
  }
  const server = await startServer([npx, ...args], { node, cwd, env })
  await server.stop()
  const [installed] = readdirSync(join(cache, '_npx')).map((name) => join(cache, '_npx', name))
  const lock = JSON.parse(readFileSync(join(installed, 'package-lock.json'), 'utf8'))
  const files = readdirSync(join(installed, 'node_modules'), { recursive: true })
  const sizes = files.map((name) => statSync(join(installed, 'node_modules', name)).size)
  return {
    ms: server.readyMs,
    packages: Object.keys(lock.packages).filter((path) => path !== '').length,
    kb: sizes.reduce((sum, size) => sum + size, 0) / 1_000,
  }
}
