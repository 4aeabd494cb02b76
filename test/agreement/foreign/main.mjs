import { parseArgs } from 'node:util'
import { createForeignProvider } from './provider.mjs'

const text = { type: 'string' }
const { values } = parseArgs({
  options: {
    ...{ host: text, port: text, 'operator-port': text, seed: text, mailbox: text, user: text },
    ...{ 'api-key': text, 'second-api-key': text, latency: text, 'fail-every': text, terms: text },
    ...{ fast: { type: 'boolean' }, 'allow-http-webhooks': { type: 'boolean' } },
    'moving-rates': { type: 'boolean' },
  },
})
const given = {
  host: values.host,
  port: values.port && Number(values.port),
  operatorPort: values['operator-port'] && Number(values['operator-port']),
  seed: values.seed,
  mailbox: values.mailbox,
  user: values.user,
  apiKey: values['api-key'],
  secondApiKey: values['second-api-key'],
  latencyMs: values.fast ? [0, 0] : values.latency?.split('-').map(Number),
  failEvery: values.fast ? 0 : values['fail-every'] && Number(values['fail-every']),
  allowHttpWebhooks: values['allow-http-webhooks'],
  movingRates: values['moving-rates'],
  terms: values.terms && JSON.parse(values.terms),
}
const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
const { url, operatorUrl, apiKey, secondApiKey, user, close } = await createForeignProvider(options)
console.log(JSON.stringify({ url, operatorUrl, apiKey, secondApiKey, user }))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, close)
