import { parseArgs } from 'node:util'
import { createForeignProvider } from './provider.mjs'

const FAST = { latencyMs: [0, 0], failEvery: 0 }
/** How an option of the command line is read, where it is no text. */
const READ = {
  ...{ port: Number, operatorPort: Number, failEvery: Number },
  ...{ terms: JSON.parse, statuses: JSON.parse },
  latencyMs: (text) => text.split('-').map(Number),
}
const TEXTS =
  'host port operator-port user seed mailbox api-key second-api-key latency-ms fail-every terms statuses'
const SWITCHES = 'fast allow-http-webhooks moving-rates'
const typed = (names, type) => names.split(' ').map((name) => [name, { type }])
const flags = Object.fromEntries([...typed(TEXTS, 'string'), ...typed(SWITCHES, 'boolean')])

const given = Object.entries(parseArgs({ options: flags }).values).map(([name, value]) => {
  const option = name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase())
  return [option, READ[option] ? READ[option](value) : value]
})
const { fast, ...options } = Object.fromEntries(given)
const provider = await createForeignProvider({ ...(fast && FAST), ...options })
const { url, operatorUrl, apiKey, secondApiKey, user } = provider
console.log(JSON.stringify({ url, operatorUrl, apiKey, secondApiKey, user }))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, provider.close)
