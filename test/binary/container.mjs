import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { firstLine } from '../helpers/sandbox.mjs'

const NAME = `ramp-binary-${process.pid}`

/** Why no container can be run here; undefined where one can. */
export function whyNoContainer() {
  if (spawnSync('runc', ['--version']).error) return 'runc is missing (apt-get install runc)'
  return process.getuid() === 0 ? undefined : 'runc as it is used here needs root'
}

/**
 * Runs build/image.tar with runc as compose.yaml says: read-only, with a tmpfs, a secret, a volume and
 * no capability, but in the host's network, so that the test can call it.
 */
export async function startContainer({ folder, args, token }) {
  const bundle = join(folder, 'bundle')
  const rootfs = join(bundle, 'rootfs')
  mkdirSync(rootfs, { recursive: true })
  const image = readImage(folder)
  must('tar', '-xf', image.layer, '-C', rootfs)
  must('runc', 'spec', '--bundle', bundle)
  const file = join(bundle, 'config.json')
  const config = JSON.parse(readFileSync(file, 'utf8'))
  const {
    Entrypoint: entrypoint,
    Env: env,
    User: user,
    WorkingDir: cwd,
    Healthcheck,
  } = image.config
  const [uid, gid] = user.split(':').map(Number)
  const secret = join(folder, 'control-token')
  writeFileSync(secret, `${token}\n`)
  const data = join(folder, 'data')
  mkdirSync(data)
  chownSync(data, uid, gid)
  const mounts = [
    { destination: '/tmp', type: 'tmpfs', source: 'tmpfs' },
    { destination: '/run/secrets/control-token', type: 'bind', source: secret, options: ['bind'] },
    { destination: '/data', type: 'bind', source: data, options: ['bind'] },
  ]
  const process = { args: [...entrypoint, ...args], env, cwd, user: { uid, gid } }
  writeFileSync(file, JSON.stringify(adapt(config, { process, mounts })))

  const runc = (...rest) => ['--root', join(folder, 'runc'), ...rest]
  const child = spawn('runc', runc('run', '--bundle', bundle, NAME), {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  return {
    data,
    line: await firstLine(child.stdout),
    user: { uid, gid },
    healthcheck: Healthcheck.Test.slice(1),
    exec: (...command) => must('runc', ...runc('exec', NAME, ...command)),
    async stop() {
      must('runc', ...runc('kill', NAME, 'TERM'))
      return exited
    },
    end: () => spawnSync('runc', runc('delete', '--force', NAME)),
  }
}

function adapt(config, { process, mounts }) {
  return {
    ...config,
    root: { path: 'rootfs', readonly: true },
    process: { ...config.process, ...process, terminal: false, capabilities: {} },
    mounts: [...config.mounts, ...mounts],
    linux: {
      ...config.linux,
      namespaces: config.linux.namespaces.filter(({ type }) => type !== 'network'),
    },
  }
}

/** What `docker load` reads: the settings of the image, and its one layer. */
function readImage(folder) {
  const loaded = join(folder, 'image')
  mkdirSync(loaded)
  must('tar', '-xf', 'build/image.tar', '-C', loaded)
  const [{ Config, Layers }] = readJson(join(loaded, 'manifest.json'))
  assert.equal(Layers.length, 1)
  return { config: readJson(join(loaded, Config)).config, layer: join(loaded, Layers[0]) }
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

function must(command, ...args) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${stderr}`)
  return stdout
}
