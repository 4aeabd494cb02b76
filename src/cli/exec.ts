import { DomainError } from '../world/domain-error.ts'
import { runChild } from './child.ts'
import { type Command, createCommand } from './command.ts'
import { type LiveLog, openLog } from './live-log.ts'
import { toPort } from './option-values.ts'
import type { CommandSandbox } from './private-world.ts'
import { readControlToken, SERVING_OPTIONS, type ServingValues, serve } from './serving.ts'
import { toTrusted } from './tls.ts'

const parsed = createCommand({
  usage: 'exec [options] -- COMMAND [ARGUMENT]…',
  about:
    'Starts a sandbox on a free port, runs a command that finds it in RAMP_SANDBOX_URL,\n' +
    'RAMP_SANDBOX_API_KEY and RAMP_SANDBOX_CONTROL_URL, and ends with the exit code of the command.',
  options: {
    port: { value: 'PORT', short: 'p', help: 'any free one by default' },
    on: {
      value: 'URL',
      help: 'use a private world of the sandbox at URL for as long as the command runs',
    },
    ...SERVING_OPTIONS,
    log: {
      value: 'LEVEL',
      help: 'say on stderr why calls were refused (errors), or each call and webhook (all); off',
    },
    verbose: { help: 'say on stderr where the sandbox is, and how the command ended' },
    json: { short: 'j', help: 'say so as lines of JSON' },
  },
  likeStart: Object.keys(SERVING_OPTIONS),
  exits: { N: 'The exit code of the command; 128 and the number of a signal that ended it.' },
  async act({ values, rest: [command, ...args] }) {
    if (command === undefined) throw missingCommand('There is no command to run.')
    const { log: level = 'off', json } = values
    const log = openLog(level, { json, stream: process.stderr })
    const place = await open(values, log)
    const { url, apiKey, controlUrl } = place
    const say = (event: object, text: string) => {
      const line = values.json ? JSON.stringify(event) : `ramp-sandbox: ${text}`
      if (values.json || values.verbose) process.stderr.write(`${line}\n`)
    }
    say({ event: 'ready', url, apiKey, controlUrl }, `${url} (API key ${apiKey})`)
    try {
      const env = { ...process.env, ...toEnv(place) }
      process.exitCode = await runChild({ command, args, env })
      const { exitCode } = process
      say({ event: 'ended', command, exitCode }, `${command} ended with ${exitCode}`)
    } finally {
      await place.close()
      log?.end()
    }
  },
})

export const exec: Command = {
  ...parsed,
  async run(args) {
    if (!args.includes('--')) throw missingCommand('exec needs -- before the command.')
    await parsed.run(args)
  },
}

function missingCommand(message: string): DomainError {
  return new DomainError('invalid', message, {
    field: 'command',
    hint: 'ramp-sandbox exec -- npm test',
  })
}

async function open(
  values: ServingValues & { on: string | undefined; port: string | undefined },
  log: LiveLog | undefined,
): Promise<CommandSandbox> {
  if (values.on === undefined) {
    const { ready, controlToken, tls, close } = await serve(values, toPort(values.port ?? '0'), log)
    return { ...ready, controlToken, tls, close }
  }
  const controlToken = readControlToken(values)
  const { openPrivateWorld } = await import('./private-world.ts')
  return await openPrivateWorld(values.on, { values, controlToken })
}

/** What is undefined is not set, whatever was set outside. */
function toEnv({ url, apiKey, controlUrl, controlToken, tls, signingSecret }: CommandSandbox) {
  return {
    RAMP_SANDBOX_URL: url,
    RAMP_SANDBOX_API_KEY: apiKey,
    RAMP_SANDBOX_CONTROL_URL: controlUrl ?? undefined,
    RAMP_SANDBOX_CONTROL_TOKEN: controlToken,
    // Node trusts it at once; other programs can be pointed to it.
    ...(tls?.isSelfSigned && {
      NODE_EXTRA_CA_CERTS: toTrusted(tls, process.env.NODE_EXTRA_CA_CERTS),
    }),
    RAMP_SANDBOX_CA_CERT: tls?.certFile,
    RAMP_SANDBOX_SIGNING_SECRET: signingSecret,
  }
}
