import { createClient } from '../client/client.ts'
import { serveStdio } from '../mcp/stdio.ts'
import { createCommand, type Values } from './command.ts'
import { whenAskedToEnd } from './ending.ts'
import { invalid } from './option-values.ts'
import { connect } from './remote.ts'
import { serve } from './serving.ts'
import {
  OWN_OPTIONS,
  SERVING_OPTIONS,
  type ServingGiven,
  toStartOptions,
} from './serving-options.ts'

type McpGiven = ServingGiven & { values: { url: string | undefined } & Values<typeof OWN_OPTIONS> }

export const mcp = createCommand({
  usage: 'mcp [options]',
  about:
    'serve the Model Context Protocol over stdin and stdout, so that a coding agent can control a sandbox:\n' +
    'one of its own, or a running one with --url or RAMP_SANDBOX_URL',
  options: {
    url: {
      value: 'URL',
      help: 'base URL of a world of a running sandbox; RAMP_SANDBOX_URL by default',
    },
    ...SERVING_OPTIONS,
    ...OWN_OPTIONS,
  },
  likeStart: { ...SERVING_OPTIONS, ...OWN_OPTIONS },
  unlikeStart: '--json, --log and --no-control',
  exits: { 0: 'the input ended' },
  async act({ values, named }) {
    const { sandbox, close } = await open({ values, named })
    const ending = new AbortController()
    whenAskedToEnd(() => ending.abort())
    process.stderr.write(`ramp-sandbox: MCP for ${sandbox.url}\n`)
    const { stdin: input, stdout: output } = process
    try {
      await serveStdio({ sandbox, input, output, signal: ending.signal })
    } finally {
      input.destroy()
      await close()
    }
  },
})

async function open({ values, named }: McpGiven) {
  // The control token applies to both.
  const own = named.find((name) => name !== 'url' && name !== 'control-token')
  if (values['no-control']) throw unfit('no-control', 'the tools call the control API')
  if (values.url !== undefined && own !== undefined) {
    throw unfit(own, '--url names a running sandbox')
  }
  if (values.url ?? (own === undefined && process.env.RAMP_SANDBOX_URL)) {
    const sandbox = connect(values)
    return { sandbox, close: () => sandbox.close() }
  }
  // It also listens, because the app under development has to reach it.
  const { data, port } = values
  const { controlToken, ...options } = toStartOptions(values)
  const { url, info, fetch, close } = await serve({ ...options, controlToken, data, port })
  const { apiKey } = info
  return { sandbox: createClient({ url, apiKey, fetch, controlToken, hasSocket: true }), close }
}

const unfit = (option: string, why: string) =>
  invalid(`--${option}`, `mcp cannot take --${option} here: ${why}.`)
