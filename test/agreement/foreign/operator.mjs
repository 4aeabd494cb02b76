import { createServer } from 'node:http'

/** The staging environment's own side: mailbox and time. */
export function createOperator({ state, mailbox }) {
  async function handle(request) {
    const url = new URL(request.url, 'http://operator')
    const route = `${request.method} ${url.pathname}`
    const body = request.method === 'POST' ? JSON.parse((await readText(request)) || '{}') : {}
    const to = (url.searchParams.get('to') ?? '').toLowerCase()
    if (route === 'GET /mailbox') return { messages: mailOf(to) }
    if (route === 'POST /clock') {
      state.shift(body.seconds * 1000)
      return { now: new Date(state.now()).toISOString() }
    }
    return undefined
  }

  function mailOf(to) {
    const messages = state.mailbox.filter((row) => to === '' || row.to === to)
    return mailbox === 'newest-only' ? messages.slice(0, 1) : messages
  }

  return createServer((request, response) => {
    handle(request).then(
      (result) => reply(response, result === undefined ? 404 : 200, result ?? { error: 'unknown' }),
      (error) => reply(response, error.status ?? 400, { error: error.message }),
    )
  })
}

function reply(response, status, result) {
  const plain = typeof result === 'string'
  response.writeHead(status, { 'content-type': plain ? 'text/plain' : 'application/json' })
  response.end(plain ? result : JSON.stringify(result))
}

async function readText(request) {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}
