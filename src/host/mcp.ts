import { createClient } from '../client/client.ts'
import type { Mcp } from '../http/mcp.ts'

const loadServer = () => import('../mcp/server.ts')

/**
 * Tools call through `fetch` with the credentials of their caller, so that a tool has no rights
 * that its caller lacks.
 */
export function createMcp(fetch: (request: Request) => Response | Promise<Response>): Mcp {
  return {
    async versions() {
      return (await loadServer()).PROTOCOL_VERSIONS
    },
    async respond(message, { url, host, controlToken, cookie, signal }) {
      const { respondToMessage } = await loadServer()
      const sandbox = createClient({
        fetch: send,
        url,
        apiKey: '',
        controlToken,
        hasSocket: true,
        ends: [signal],
      })
      return await respondToMessage(message, { sandbox, signal })

      function send(request: Request) {
        request.headers.set('host', host)
        if (cookie !== undefined) request.headers.set('cookie', cookie)
        return fetch(request)
      }
    },
  }
}
