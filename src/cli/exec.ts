import { DomainError } from '../world/domain-error.ts'
import { runChild } from './child.ts'
import { type Command, createCommand } from './command.ts'
import { SERVING_OPTIONS, type Serving, serve, toPort } from './serving.ts'

const parsed = createCommand({
  usage: 'exec [options] -- COMMAND [ARGUMENT]…',
  about:
    'Starts a sandbox on a free port, runs a command that finds it in RAMP_SANDBOX_URL,\n' +
    'RAMP_SANDBOX_API_KEY and RAMP_SANDBOX_CONTROL_URL, and ends with the exit code of the command.',
  options: {
    port: { value: 'PORT', help: 'any free one by default' },
    ...SERVING_OPTIONS,
    verbose: { help: 'say on stderr where the sandbox is, and how the command ended' },
  },
  async act({ values, rest: [command, ...args] }) {
    if (command === undefined) throw missingCommand('There is no command to run.')
    const serving = await serve(values, toPort(values.port ?? '0'))
    const say = (text: string) => values.verbose && process.stderr.write(`ramp-sandbox: ${text}\n`)
    say(`${serving.ready.url} (API key ${serving.ready.apiKey})`)
    try {
      const env = { ...process.env, ...toEnv(serving) }
      process.exitCode = await runChild({ command, args, env })
      say(`${command} ended with ${process.exitCode}`)
    } finally {
      await serving.close()
    }
  },
})

export const exec: Command = {
  help: parsed.help,
  async run(args) {
    if (!args.includes('--')) throw missingCommand('exec needs -- before the command.')
    await parsed.run(args)
  },
}

function missingCommand(message: string): DomainError {
  return new DomainError('invalid', 'command', message, { hint: 'ramp-sandbox exec -- npm test' })
}

/** What is undefined is not set, whatever was set outside. */
function toEnv({ ready: { url, apiKey, controlUrl }, controlToken }: Serving) {
  return {
    RAMP_SANDBOX_URL: url,
    RAMP_SANDBOX_API_KEY: apiKey,
    RAMP_SANDBOX_CONTROL_URL: controlUrl ?? undefined,
    RAMP_SANDBOX_CONTROL_TOKEN: controlToken,
  }
}
