import type { TestApp } from '../helpers/app.ts'

// biome-ignore lint/suspicious/noExplicitAny: results of tools have shapes of their own
type Json = any

export interface RpcCaller {
  /** The response to one message, with the status and the body of HTTP. */
  send(message: unknown, headers?: Record<string, string>): Promise<{ status: number; body: Json }>
  /** The result of a method; undefined after an error. */
  ask(method: string, params?: object): Promise<Json>
  /** The JSON that a tool returns, or the text of its error. */
  call(name: string, input?: object): Promise<Json>
}

/** Speaks the protocol by hand, to one world. */
export function rpcOf(app: TestApp, more: Record<string, string> = {}): RpcCaller {
  const rpc: RpcCaller = {
    async send(message, headers = {}) {
      const { status, text } = await app.send('/_sandbox/mcp', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...more, ...headers },
        body: JSON.stringify(message),
      })
      return { status, body: text === '' ? undefined : JSON.parse(text) }
    },
    async ask(method, params) {
      const { body } = await rpc.send({ jsonrpc: '2.0', id: 1, method, params })
      return body.result
    },
    async call(name, input = {}) {
      const { content, isError } = await rpc.ask('tools/call', { name, arguments: input })
      return isError ? content[0].text : JSON.parse(content[0].text)
    },
  }
  return rpc
}
