// Prints the signatures that wrong receivers in Node compute, one `name<TAB>signature` a line.
import { createHash, createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'

const [timestamp, secret] = process.argv.slice(2)
const bytes = readFileSync(0)
const raw = bytes.toString()
const event = JSON.parse(raw)
const sign = (message, key = secret, encoding = undefined) =>
  `v1=${createHmac('sha256', key).update(message, encoding).digest('hex')}`
const show = (name, signature) => process.stdout.write(`${name}\t${signature}\n`)

show('written', JSON.stringify(event))
show('JSON.stringify', sign(`${timestamp}.${JSON.stringify(event)}`))
show('JSON.stringify indented', sign(`${timestamp}.${JSON.stringify(event, null, 2)}`))
show('JSON.stringify alone', sign(JSON.stringify(event)))
show('JSON.stringify of text', sign(`${timestamp}.${JSON.stringify(raw)}`))
show('JSON.stringify of a Buffer', sign(`${timestamp}.${JSON.stringify(bytes)}`))
show('object in a template', sign(`${timestamp}.${event}`))
show('undefined body', sign(`${timestamp}.${event.rawBody}`))
show('empty object', sign(`${timestamp}.${JSON.stringify({})}`))
show('Uint8Array in a template', sign(`${timestamp}.${new Uint8Array(bytes)}`))
show('undefined timestamp', sign(`${{}['X-Service-Timestamp']}.${raw}`))
show('binary encoding', sign(`${timestamp}.${raw}`, secret, 'binary'))
show('own clock in ms', sign(`${Date.now()}.${raw}`))
show('white space removed', sign(`${timestamp}.${raw.replace(/\s/g, '')}`))
show('trimmed secret in quotes', sign(`${timestamp}.${raw}`, `"${secret}"`))
show('hex-decoded secret', sign(`${timestamp}.${raw}`, Buffer.from(secret.slice(6), 'hex')))
show('body alone, without v1=', sign(raw).slice(3))
show('Slack', sign(`v1:${timestamp}:${raw}`))
show('hash of the body', sign(`${timestamp}.${createHash('sha256').update(raw).digest('hex')}`))
show('SHA-512', `v1=${createHmac('sha512', secret).update(`${timestamp}.${raw}`).digest('hex')}`)
show('base64url', createHmac('sha256', secret).update(`${timestamp}.${raw}`).digest('base64url'))
show('ISO timestamp', sign(`${new Date(timestamp * 1000).toISOString()}.${raw}`))
