import { createClient } from '../client/client.ts'
import type { SandboxError } from '../client/error.ts'
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
  START_OPTIONS,
  toStartOptions,
} from './serving-options.ts'

// The tools call the control API.
const { 'no-control': _, ...SERVED } = SERVING_OPTIONS

interface McpGiven extends Pick<ServingGiven, 'named'> {
  values: { url: string | undefined } & Values<typeof SERVED & typeof OWN_OPTIONS>
}

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
    ...SERVED,
    ...OWN_OPTIONS,
  },
  start: START_OPTIONS,
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
  if (values.url !== undefined && own !== undefined) {
    const problem = `mcp cannot take --${own} here: --url names a running sandbox.`
    throw invalid(`--${own}`, problem)
  }
  if (values.url ?? (own === undefined && process.env.RAMP_SANDBOX_URL)) {
    const sandbox = connect(values)
    // An editor starts its servers before anybody starts a sandbox, so this one waits for it.
    void sandbox.control('GET', '/health').catch((error: SandboxError) => {
      const text = `ramp-sandbox: ${error.message} Tools fail until one responds.\n`
      if (error.code !== 'closed') process.stderr.write(text)
    })
    return { sandbox, close: () => sandbox.close() }
  }
  // It also listens, because the app under development has to reach it.
  const { data, port } = values
  const { controlToken, ...options } = toStartOptions({ ...values, 'no-control': false })
  const { url, info, fetch, close } = await serve({ ...options, controlToken, data, port })
  const { apiKey } = info
  return { sandbox: createClient({ url, apiKey, fetch, controlToken, hasSocket: true }), close }
}
