import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { firstLine } from './first-line.mjs'

const NAME = `ramp-binary-${process.pid}`

/** Why no container can be run here; undefined where one can. */
export function whyNoContainer() {
  const missing = ['umoci', 'runc'].filter((tool) => spawnSync(tool, ['--version']).error)
  if (missing.length > 0) return `${missing.join(' and ')} missing (apt-get install umoci runc)`
  return process.getuid() === 0 ? undefined : 'runc as it is used here needs root'
}

/**
 * Runs build/image.tar with runc as compose.yaml says: read-only, with a tmpfs, a secret, a volume and
 * no capability, but in the host's network, so that the test can call it.
 */
export async function startContainer({ folder, args, token }) {
  const layout = join(folder, 'layout')
  const bundle = join(folder, 'bundle')
  mkdirSync(layout)
  must('tar', '-xf', 'build/image.tar', '-C', layout)
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  must('umoci', 'unpack', '--image', `${layout}:${version}`, bundle)
  const file = join(bundle, 'config.json')
  const config = JSON.parse(readFileSync(file, 'utf8'))
  const [program] = config.process.args
  const secret = join(folder, 'control-token')
  writeFileSync(secret, `${token}\n`)
  const data = join(folder, 'data')
  mkdirSync(data)
  const { uid, gid } = config.process.user
  chownSync(data, uid, gid)
  const mounts = [
    { destination: '/tmp', type: 'tmpfs', source: 'tmpfs' },
    { destination: '/run/secrets/control-token', type: 'bind', source: secret, options: ['bind'] },
    { destination: '/data', type: 'bind', source: data, options: ['bind'] },
  ]
  writeFileSync(file, JSON.stringify(adapt(config, { args: [program, ...args], mounts })))

  const runc = (...rest) => ['--root', join(folder, 'runc'), ...rest]
  const child = spawn('runc', runc('run', '--bundle', bundle, NAME), {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  return {
    data,
    line: await firstLine(child.stdout),
    user: { uid, gid },
    healthcheck: readHealthcheck(layout),
    exec: (...command) => must('runc', ...runc('exec', NAME, ...command)),
    async stop() {
      must('runc', ...runc('kill', NAME, 'TERM'))
      return exited
    },
    end: () => spawnSync('runc', runc('delete', '--force', NAME)),
  }
}

function adapt(config, { args, mounts }) {
  return {
    ...config,
    root: { ...config.root, readonly: true },
    process: { ...config.process, args, terminal: false, capabilities: {} },
    mounts: [...config.mounts, ...mounts],
    linux: {
      ...config.linux,
      namespaces: config.linux.namespaces.filter(({ type }) => type !== 'network'),
    },
  }
}

/** What Docker would run to probe it. */
function readHealthcheck(layout) {
  const blob = ({ digest }) => readJson(join(layout, 'blobs', digest.replace(':', '/')))
  const [described] = readJson(join(layout, 'index.json')).manifests
  const [kind, ...command] = blob(blob(described).config).config.Healthcheck.Test
  assert.equal(kind, 'CMD')
  return command
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

function must(command, ...args) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${stderr}`)
  return stdout
}
