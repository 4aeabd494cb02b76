import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createMasker } from '../agreement/mask.ts'
import { createRecordingClock } from '../agreement/record/clock.ts'
import { recordHar } from '../agreement/record/har.ts'
import {
  type OpenServer,
  openProxy,
  openReceiver,
  type PassedCall,
} from '../agreement/record/proxy.ts'
import { createRecorder, type SessionRecorder } from '../agreement/record/recorder.ts'
import { BrokenRecording } from '../agreement/recording.ts'
import { DomainError } from '../world/domain-error.ts'
import { createCommand, toPort } from './command.ts'

const DEFAULT_PROXY_PORT = 4180

export const record = createCommand({
  usage: 'record --upstream URL --out FILE [options]',
  about:
    'Passes calls on to a provider, or a sandbox, and writes them to a file with their answers.\n' +
    'Keys, tokens, codes and personal data are replaced before anything is written.\n' +
    'Ends with Ctrl-C.',
  options: {
    upstream: { value: 'URL', help: 'base URL of the service that answers' },
    out: { value: 'FILE', help: 'where to write the recording; a file that is there is replaced' },
    port: { value: 'PORT', help: `where to listen; ${DEFAULT_PROXY_PORT} by default, 0 for any` },
    webhooks: { value: 'PORT', help: 'where to receive webhooks, to record them too' },
    'forward-webhooks': { value: 'URL', help: 'where to pass them on to; its answer goes back' },
    har: { value: 'FILE', help: 'record the calls of this HAR file instead, and end' },
    keep: { value: 'PATH', many: true, help: 'a field to show, such as errors.message' },
    'control-token': { value: 'TOKEN', help: 'of an upstream sandbox, to read its clock' },
    json: { short: 'j', help: 'print a line of JSON for each call' },
  },
  exits: { 0: 'It was asked to end, or the HAR file is recorded.', 1: 'The HAR file has no call.' },
  async act({ values }) {
    const { out, har, keep } = values
    if (out === undefined) throw invalid('--out', '--out names the file to write.')
    if (har === undefined && values.upstream === undefined) {
      throw invalid('--upstream', '--upstream names the service that answers.')
    }
    write(() => writeFileSync(out, ''))
    const masker = createMasker({ keep })
    const recorder = createRecorder({ masker, write: (line) => appendFileSync(out, line) })
    const say: Say = (event, text) =>
      void process.stdout.write(`${values.json ? JSON.stringify(event) : text}\n`)
    if (har !== undefined) return convert(har, { recorder, say })
    await listen(values, { recorder, say })
  },
})

/** Prints what happened: for programs, or for people. */
type Say = (event: object, text: string) => void

interface Recording {
  recorder: SessionRecorder
  say: Say
}

interface ListenValues {
  upstream: string | undefined
  port: string | undefined
  webhooks: string | undefined
  'forward-webhooks': string | undefined
  'control-token': string | undefined
}

async function listen(values: ListenValues, { recorder, say }: Recording) {
  const upstream = toUrl('--upstream', values.upstream)
  const forward =
    values['forward-webhooks'] && toUrl('--forward-webhooks', values['forward-webhooks'])
  if (forward && values.webhooks === undefined) {
    throw invalid('--webhooks', '--forward-webhooks needs --webhooks, where they come in.')
  }
  const controlToken = values['control-token'] ?? process.env.RAMP_SANDBOX_CONTROL_TOKEN
  const clock = createRecordingClock({ upstream, controlToken })
  const onCall = (call: PassedCall) => say(call, `${call.name} → ${call.status}`)
  const options = { recorder, clock, onCall }
  const port = toPort(values.port ?? String(DEFAULT_PROXY_PORT))
  const proxy = await open(openProxy(upstream, { ...options, port }))
  const { origin } = upstream
  say(
    { event: 'recording', upstream: origin, url: proxy.url },
    `Recording ${origin} at ${proxy.url}`,
  )
  const servers = [proxy]
  if (values.webhooks !== undefined) {
    const hooks = { ...options, port: toPort(values.webhooks, '--webhooks') }
    const receiver = await open(openReceiver(forward || undefined, hooks))
    say({ event: 'receiving', url: receiver.url }, `Receiving webhooks at ${receiver.url}`)
    servers.push(receiver)
  }
  await new Promise((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
  })
  await Promise.all(servers.map((server) => server.close()))
}

async function open(opening: Promise<OpenServer>): Promise<OpenServer> {
  try {
    return await opening
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new DomainError('conflict', '--port', `The port cannot be listened on: ${why}.`)
  }
}

function convert(file: string, { recorder, say }: Recording) {
  try {
    const count = recordHar(readFileSync(file, 'utf8'), recorder)
    const text = `${count} call${count === 1 ? '' : 's'} of the contract`
    say({ event: 'recorded', calls: count }, text)
    if (count === 0) process.exitCode = 1
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const sentence = error instanceof BrokenRecording ? why : `It cannot be read: ${why}.`
    throw invalid('--har', `${file}: ${sentence}`)
  }
}

function write(act: () => void) {
  try {
    act()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw invalid('--out', `--out cannot be written: ${why}.`)
  }
}

function toUrl(option: string, text = ''): URL {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return new URL(text)
  throw invalid(option, `${option} must be a URL such as https://api.example.com, not ${text}.`)
}

const invalid = (field: string, message: string) => new DomainError('invalid', field, message)
