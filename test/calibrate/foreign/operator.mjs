import { createServer } from 'node:http'

/** The staging environment's own side: its mailbox. */
export function createOperator({ state, mailbox }) {
  return createServer((request, response) => {
    const { searchParams } = new URL(request.url, 'http://operator')
    const to = (searchParams.get('to') ?? '').toLowerCase()
    const messages = state.mailbox.filter((row) => to === '' || row.to === to)
    const shown = mailbox === 'newest-only' ? messages.slice(0, 1) : messages
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ messages: shown }))
  })
}
