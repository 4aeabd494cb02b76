// Builds the Dockerfile with buildah, which needs no daemon, and writes build/image.tar for `docker
// load`. The same files give the same layer, whose digest it prints.
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

process.chdir(join(import.meta.dirname, '..'))
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const name = `ramp-sandbox:${version}`
const archive = 'build/image.tar'
// Its own storage, so that it leaves nothing among the images of its user.
const storage = ['--storage-driver', 'vfs', '--root', 'build/containers/storage']
const buildah = (command, ...args) =>
  run('buildah', ...storage, '--runroot', 'build/containers/run', command, ...args)

rmSync(archive, { force: true })
// Only Docker's format has a HEALTHCHECK, and no date may change the image.
const format = ['--format', 'docker', '--timestamp', '0', '--isolation', 'chroot']
const tag = `docker-archive:${archive}:${name}`
buildah('build', ...format, '--quiet', '--no-cache', '--tag', tag, '.')
const [{ Layers }] = JSON.parse(run('tar', '-xOf', archive, 'manifest.json'))
console.log(Layers.join('\n'))

function run(command, ...args) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`)
  return stdout
}
