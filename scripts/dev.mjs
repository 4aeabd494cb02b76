// Builds on every change and restarts the sandbox: npm run dev -- --fixture cast
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { context } from 'esbuild'
import { watch } from 'rolldown'
import { forBrowser, forEntries, forProgram, forWorker } from './bundles.mjs'

const root = join(import.meta.dirname, '..')
const bundles = [forBrowser, ...forEntries, forWorker]
const built = new Set()
let running
let restarts = Promise.resolve()

for (const bundle of bundles) {
  const plugin = {
    name: 'restart',
    setup: ({ onEnd }) => onEnd((result) => onBuilt(bundle, result)),
  }
  const builder = await context({ ...bundle, plugins: [...(bundle.plugins ?? []), plugin] })
  await builder.watch()
}

watch(forProgram).on('event', (event) => {
  if (event.code === 'BUNDLE_END') onBuilt(forProgram, { errors: [] })
  if (event.code === 'ERROR') console.error(event.error)
})

function onBuilt(bundle, { errors }) {
  if (errors.length > 0) return
  built.add(bundle)
  if (built.size === bundles.length + 1) restarts = restarts.then(restart)
}

async function restart() {
  if (running && running.exitCode === null && running.signalCode === null) {
    running.kill()
    await once(running, 'exit')
  }
  const args = [join(root, 'dist/cli.cjs'), 'start', ...process.argv.slice(2)]
  running = spawn(process.execPath, args, { stdio: 'inherit' })
}
