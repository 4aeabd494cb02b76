// Writes build/image.tar, an OCI image layout: build/ramp-sandbox, the libraries that it needs, and
// nothing else. It needs no daemon, and the same binary gives the same digest. The one layer is also
// build/rootfs.tar.gz, for the Dockerfile.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { toTar } from './tar.mjs'

process.chdir(join(import.meta.dirname, '..'))

const BINARY = 'build/ramp-sandbox'
const PROGRAM = 'usr/local/bin/ramp-sandbox'
/** The number by which images of this kind call their user without rights. */
const NOBODY = 65532
const PORT = 4100
const SECOND = 1e9
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' }

const startedAt = performance.now()
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
/** The layout's own files by their path. */
const files = new Map([['oci-layout', toJson({ imageLayoutVersion: '1.0.0' })]])
const layer = toTar(withFolders([...systemFiles(), program()]))
const compressed = gzipSync(layer)
const manifest = {
  schemaVersion: 2,
  mediaType: 'application/vnd.oci.image.manifest.v1+json',
  config: add('application/vnd.oci.image.config.v1+json', toJson(imageConfig())),
  layers: [add('application/vnd.oci.image.layer.v1.tar+gzip', compressed)],
}
const described = add(manifest.mediaType, toJson(manifest))
const annotations = {
  'org.opencontainers.image.ref.name': version,
  'io.containerd.image.name': `docker.io/library/ramp-sandbox:${version}`,
}
files.set(
  'index.json',
  toJson({ schemaVersion: 2, manifests: [{ ...described, platform: platform(), annotations }] }),
)
// For `docker load` of versions that do not read the layout.
const forDocker = {
  Config: blobOf(manifest.config),
  RepoTags: [`ramp-sandbox:${version}`],
  Layers: manifest.layers.map(blobOf),
}
files.set('manifest.json', toJson([forDocker]))

const entries = [...files].map(([path, bytes]) => ({ path, bytes, mode: 0o644 }))
const image = toTar(withFolders(entries))
writeFileSync('build/image.tar', image)
writeFileSync('build/rootfs.tar.gz', compressed)
writeFileSync('build/image.digest', `${described.digest}\n`)
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
console.log(`build/image.tar: ${(image.length / 1e6).toFixed(1)} MB, in ${seconds} s`)
console.log(described.digest)

function imageConfig() {
  return {
    created: '1970-01-01T00:00:00Z',
    ...platform(),
    config: {
      User: `${NOBODY}:${NOBODY}`,
      ExposedPorts: { [`${PORT}/tcp`]: {} },
      Env: ['PATH=/usr/local/bin'],
      Entrypoint: [`/${PROGRAM}`],
      Cmd: ['start', '--host', '0.0.0.0'],
      WorkingDir: '/data',
      StopSignal: 'SIGTERM',
      Labels: {
        'org.opencontainers.image.title': 'ramp-sandbox',
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.licenses': 'MIT',
      },
      // Not of the OCI specification, but Docker reads it here.
      Healthcheck: {
        Test: ['CMD', `/${PROGRAM}`, 'health'],
        Interval: 10 * SECOND,
        Timeout: 5 * SECOND,
        StartPeriod: 10 * SECOND,
        Retries: 3,
      },
    },
    rootfs: { type: 'layers', diff_ids: [digestOf(layer)] },
  }
}

function platform() {
  const architecture = ARCHITECTURES[process.arch]
  if (process.platform !== 'linux' || !architecture)
    throw new Error('An image is made on Linux, of its own architecture.')
  return { architecture, os: 'linux' }
}

function program() {
  return { path: PROGRAM, bytes: readFileSync(BINARY), mode: 0o755 }
}

/** Shared libraries, the names of users, and folders to write into. */
function systemFiles() {
  const users = `root:x:0:0::/:/none\nsandbox:x:${NOBODY}:${NOBODY}::/data:/none\n`
  const groups = `root:x:0:\nsandbox:x:${NOBODY}:\n`
  const text = (path, content) => ({ path, bytes: Buffer.from(content), mode: 0o644 })
  const papers = 'usr/share/doc/ramp-sandbox'
  return [
    { path: 'data/', mode: 0o755, user: NOBODY },
    { path: 'tmp/', mode: 0o1777 },
    text('etc/passwd', users),
    text('etc/group', groups),
    text('etc/nsswitch.conf', 'hosts: files dns\n'),
    text(`${papers}/LICENSE`, readFileSync('LICENSE')),
    text(`${papers}/LICENSES.txt`, readFileSync('dist/LICENSES.txt')),
    ...libraries(),
  ]
}

/** As the loader finds them; each as a file where the link to it was. */
function libraries() {
  const { stdout, status } = spawnSync('ldd', [BINARY], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`ldd cannot read ${BINARY}.`)
  const paths = [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path)
  return paths.map((path) => ({ path: path.slice(1), bytes: readFileSync(path), mode: 0o755 }))
}

/** Sorted, with every folder before what is in it. */
function withFolders(entries) {
  const all = new Map(entries.map((entry) => [entry.path, entry]))
  for (const { path } of entries) {
    for (let above = dirname(path); above !== '.'; above = dirname(above)) {
      if (!all.has(`${above}/`)) all.set(`${above}/`, { path: `${above}/`, mode: 0o755 })
    }
  }
  return [...all.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Adds a blob to the layout and returns what refers to it. */
function add(mediaType, bytes) {
  const blob = { mediaType, digest: digestOf(bytes), size: bytes.length }
  files.set(blobOf(blob), bytes)
  return blob
}

function digestOf(bytes) {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

function toJson(value) {
  return Buffer.from(JSON.stringify(value))
}

function blobOf({ digest }) {
  return `blobs/${digest.replace(':', '/')}`
}
