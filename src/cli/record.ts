import { appendFileSync } from 'node:fs'
import { createMasker } from '../agreement/mask.ts'
import { recordHar } from '../agreement/record/har.ts'
import { openProxy } from '../agreement/record/proxy.ts'
import { createRecorder } from '../agreement/record/recorder.ts'
import { readTextFile } from '../text-file.ts'
import { DomainError, messageOf } from '../world/domain-error.ts'
import { createCommand } from './command.ts'
import { BASE_URL, invalid, orInvalid, PORT, WEBHOOK_URL, writeOutput } from './option-values.ts'
import { toPrintable } from './terminal.ts'

export const record = createCommand({
  usage: 'record --upstream URL --out FILE [options]',
  about:
    'Passes calls on to a provider, or a sandbox, and writes them to a file with their responses.\n' +
    'Keys, tokens, codes and personal data are replaced before anything is written.\n' +
    'Ends with Ctrl-C.',
  options: {
    upstream: { ...BASE_URL, help: 'base URL of the service that responds' },
    out: { value: 'FILE', help: 'where to write the recording; a file that is there is replaced' },
    port: { ...PORT, standard: '4180', help: 'where to listen; 0 takes any free one' },
    webhooks: { ...PORT, help: 'where to receive webhooks, to record them too' },
    'forward-webhooks': {
      ...WEBHOOK_URL,
      help: 'where to pass them on to; its response goes back',
    },
    har: { value: 'FILE', help: 'record the calls of this HAR file instead, and end' },
    keep: { value: 'PATH', many: true, help: 'a field to show, such as errors.message' },
    'control-token': { value: 'TOKEN', help: 'of an upstream sandbox, to read its clock' },
    json: { short: 'j', help: 'print a line of JSON for each call' },
  },
  exits: { 0: 'It was asked to end, or the HAR file is recorded.', 1: 'The HAR file has no call.' },
  async act({ values }) {
    const { out, har, keep, upstream, port, webhooks, 'forward-webhooks': forward } = values
    if (out === undefined) throw invalid('--out', '--out names the file to write.')
    const { recorder, begin } = openRecording(out, keep)
    if (har !== undefined) {
      const read = () => recordHar(readTextFile(har), recorder)
      const calls = orInvalid('--har', `${har} cannot be recorded`, read)
      begin()
      say({ event: 'recorded', calls }, `${calls} call${calls === 1 ? '' : 's'} of the contract`)
      if (calls === 0) process.exitCode = 1
      return
    }
    if (upstream === undefined) {
      throw invalid('--upstream', '--upstream names the service that responds.')
    }
    if (forward !== undefined && webhooks === undefined) {
      throw invalid('--webhooks', '--forward-webhooks needs --webhooks, where they come in.')
    }
    const proxy = await openProxy({
      ...{ recorder, upstream, port, controlToken: values['control-token'] },
      webhooks: webhooks === undefined ? undefined : { port: webhooks, forward },
      onCall: (call) => say(call, `${call.name} → ${call.status}`),
    }).catch((error: unknown) => {
      const message = `Cannot listen on the port: ${messageOf(error)}.`
      throw new DomainError('conflict', message, { field: '--port' })
    })
    try {
      begin()
      const { url, webhookUrl } = proxy
      const { origin } = new URL(upstream)
      say({ event: 'recording', upstream: origin, url }, `Recording ${origin} at ${url}`)
      if (webhookUrl) {
        say({ event: 'receiving', url: webhookUrl }, `Receiving webhooks at ${webhookUrl}`)
      }
      await new Promise((resolve) => {
        process.once('SIGINT', resolve)
        process.once('SIGTERM', resolve)
      })
    } finally {
      await proxy.close()
    }

    /** Paths are what callers sent, so nothing in them may steer the terminal. */
    function say(event: object, text: string) {
      process.stdout.write(`${values.json ? JSON.stringify(event) : toPrintable(text)}\n`)
    }
  },
})

/** The file that is there stays until `begin`: the HAR file is read, or both ports are open. */
function openRecording(file: string, keep: readonly string[]) {
  const lines: string[] = []
  let write = (line: string): unknown => lines.push(line)
  const masker = createMasker({ keep })
  return {
    recorder: createRecorder({ masker, write: (line) => write(line) }),
    begin() {
      writeOutput('--out', file, lines.join(''))
      write = (line) => appendFileSync(file, line)
    },
  }
}
