// Starts anvil once for all test files, at a free port.
import { spawn } from 'node:child_process'

export default async function setup({ provide }) {
  const anvil = spawn('anvil', ['--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await new Promise((resolve, reject) => {
    let said = ''
    anvil.once('error', reject)
    anvil.once('exit', (code) => reject(new Error(`anvil ended with ${code}.`)))
    anvil.stdout.on('data', (data) => {
      said += data
      const [, address] = /Listening on (\S+)/.exec(said) ?? []
      if (address) resolve(`http://${address}`)
    })
  })
  provide('node', url)
  return () => anvil.kill()
}
