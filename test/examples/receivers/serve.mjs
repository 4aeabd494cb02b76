// Starts a receiver that takes its port from PORT, and says where it listens: node serve.mjs COMMAND…
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'

const probe = createServer().listen(0)
await once(probe, 'listening')
const { port } = probe.address()
probe.close()

const [command, ...args] = process.argv.slice(2)
const env = { ...process.env, PORT: port }
const receiver = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
process.on('SIGTERM', () => receiver.kill())
receiver.on('exit', (code) => process.exit(code ?? 1))

const url = `http://127.0.0.1:${port}/webhooks`
const isUp = () => fetch(url, { method: 'POST' }).then(Boolean, () => false)
while (!(await isUp())) await new Promise((resolve) => setTimeout(resolve, 50))
console.log(`listening on ${url}`)
