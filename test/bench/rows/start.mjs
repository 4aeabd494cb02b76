import { readFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { CLI, startServer } from '../processes.mjs'
import { measureRounds } from '../rounds.mjs'

const BARE = join(import.meta.dirname, '../bare-http.mjs')
const ASK = 'GET /_sandbox/health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'

export const start = {
  name: 'from spawn to the first answer',
  beside: 'bare node:http',
  unit: 'ms',
  aim: { most: 1.7 },
  measure: (options) => measureStart(options, ({ ms }) => ms),
}

export const memory = {
  name: 'resident memory after start',
  beside: 'bare node:http',
  unit: 'kB',
  aim: { most: 1.6 },
  measure: (options) => measureStart(options, ({ residentKb }) => residentKb),
}

function measureStart({ rounds }, figureOf) {
  return measureRounds({
    rounds,
    warmUps: 1,
    ours: async () => figureOf(await startOnce((port) => [CLI, 'start', '--port', port])),
    bare: async () => figureOf(await startOnce((port) => [BARE, port])),
  })
}

async function startOnce(toArgs) {
  const port = await freePort()
  const startedAt = performance.now()
  const server = startServer(toArgs(String(port)))
  while (!(await answers(port))) await new Promise((resolve) => setTimeout(resolve, 1))
  const ms = performance.now() - startedAt
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8').catch(() => '')
  const residentKb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN)
  await server.stop()
  return { ms, residentKb }
}

async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A socket of its own each time: nothing that a client would have to load first. */
function answers(port) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(ASK))
    socket.once('data', (bytes) => {
      socket.destroy()
      resolve(bytes.toString('latin1').startsWith('HTTP/1.1 200'))
    })
    socket.once('error', () => resolve(false))
  })
}
