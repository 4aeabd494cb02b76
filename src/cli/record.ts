import { appendFileSync } from 'node:fs'
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
import { readTextFile } from '../text-file.ts'
import { DomainError, messageOf } from '../world/domain-error.ts'
import { createCommand, type OptionSpecs, type Values } from './command.ts'
import { BASE_URL, invalid, PORT, WEBHOOK_URL, writeOutput } from './option-values.ts'
import { toPrintable } from './terminal.ts'

const DEFAULT_PROXY_PORT = '4180'

const OPTIONS = {
  upstream: {
    ...BASE_URL,
    help: 'base URL of the service that answers',
  },
  out: { value: 'FILE', help: 'where to write the recording; a file that is there is replaced' },
  port: { ...PORT, standard: DEFAULT_PROXY_PORT, help: 'where to listen; 0 takes any free one' },
  webhooks: { ...PORT, help: 'where to receive webhooks, to record them too' },
  'forward-webhooks': { ...WEBHOOK_URL, help: 'where to pass them on to; its answer goes back' },
  har: { value: 'FILE', help: 'record the calls of this HAR file instead, and end' },
  keep: { value: 'PATH', many: true, help: 'a field to show, such as errors.message' },
  'control-token': { value: 'TOKEN', help: 'of an upstream sandbox, to read its clock' },
  json: { short: 'j', help: 'print a line of JSON for each call' },
} as const satisfies OptionSpecs

export const record = createCommand({
  usage: 'record --upstream URL --out FILE [options]',
  about:
    'Passes calls on to a provider, or a sandbox, and writes them to a file with their answers.\n' +
    'Keys, tokens, codes and personal data are replaced before anything is written.\n' +
    'Ends with Ctrl-C.',
  options: OPTIONS,
  exits: { 0: 'It was asked to end, or the HAR file is recorded.', 1: 'The HAR file has no call.' },
  async act({ values }) {
    const { out, har, keep, upstream } = values
    if (out === undefined) throw invalid('--out', '--out names the file to write.')
    if (har === undefined && upstream === undefined) {
      throw invalid('--upstream', '--upstream names the service that answers.')
    }
    // The file that is there stays until it is replaced, because the start may fail.
    let waiting: string | undefined = ''
    const write = (line: string) => {
      if (waiting === undefined) appendFileSync(out, line)
      else waiting += line
    }
    const replaceFile = () => {
      writeOutput('--out', out, waiting ?? '')
      waiting = undefined
    }
    const recorder = createRecorder({ masker: createMasker({ keep }), write })
    // Paths are what callers sent, so nothing in them may steer the terminal.
    const say = (event: object, text: string) =>
      void process.stdout.write(`${values.json ? JSON.stringify(event) : toPrintable(text)}\n`)
    const recording = { recorder, replaceFile, say }
    if (har !== undefined) convert(har, recording)
    else if (upstream !== undefined) await listen(new URL(upstream), values, recording)
  },
})

interface Recording {
  recorder: SessionRecorder
  replaceFile(): void
  /** Prints what happened: for programs, or for people. */
  say(event: object, text: string): void
}

async function listen(
  upstream: URL,
  values: Values<typeof OPTIONS>,
  { recorder, replaceFile, say }: Recording,
) {
  const { port, webhooks, 'forward-webhooks': to } = values
  if (to !== undefined && webhooks === undefined) {
    throw invalid('--webhooks', '--forward-webhooks needs --webhooks, where they come in.')
  }
  const controlToken = values['control-token']
  const clock = createRecordingClock({ upstream, controlToken })
  const onCall = (call: PassedCall) => say(call, `${call.name} → ${call.status}`)
  const options = { recorder, clock, onCall }
  const servers: OpenServer[] = []
  try {
    const { url } = await add(openProxy(upstream, { ...options, port }))
    const forward = to === undefined ? undefined : new URL(to)
    const hooks =
      webhooks === undefined
        ? undefined
        : await add(openReceiver(forward, { ...options, port: webhooks }))
    replaceFile()
    const { origin } = upstream
    say({ event: 'recording', upstream: origin, url }, `Recording ${origin} at ${url}`)
    if (hooks) say({ event: 'receiving', url: hooks.url }, `Receiving webhooks at ${hooks.url}`)
    await new Promise((resolve) => {
      process.once('SIGINT', resolve)
      process.once('SIGTERM', resolve)
    })
  } finally {
    await Promise.all(servers.map((server) => server.close()))
  }

  async function add(opening: Promise<OpenServer>) {
    const server = await opening.catch((error: unknown) => {
      const message = `Cannot listen on the port: ${messageOf(error)}.`
      throw new DomainError('conflict', message, { field: '--port' })
    })
    servers.push(server)
    return server
  }
}

function convert(har: string, { recorder, replaceFile, say }: Recording) {
  let count = 0
  try {
    count = recordHar(readTextFile(har), recorder)
  } catch (error) {
    const why = messageOf(error)
    const sentence = error instanceof BrokenRecording ? why : `It cannot be read: ${why}.`
    throw invalid('--har', `${har}: ${sentence}`)
  }
  replaceFile()
  const text = `${count} call${count === 1 ? '' : 's'} of the contract`
  say({ event: 'recorded', calls: count }, text)
  if (count === 0) process.exitCode = 1
}
