import { createServer } from 'node:http'

const STATUSES = ['initial', 'active', 'verified', 'rejected', 'inactive', 'upload', 'in-review']

/** The staging environment's own side: mailbox, identity checks, money and time. */
export function createOperator({ state, webhooks, mailbox, demoUser }) {
  async function handle(request) {
    const url = new URL(request.url, 'http://operator')
    const route = `${request.method} ${url.pathname}`
    const body = request.method === 'POST' ? JSON.parse((await readText(request)) || '{}') : {}
    const to = (url.searchParams.get('to') ?? '').toLowerCase()
    if (route === 'GET /mailbox') return { messages: mailOf(to) }
    if (route === 'GET /mailbox/codes')
      return mailOf(to)
        .map(({ code }) => `${code}\n`)
        .join('')
    if (route === 'GET /deliveries') return { deliveries: webhooks.deliveries }
    if (route === 'POST /share-tokens') {
      return { shareToken: state.createShareToken(body.email, body.outcome) }
    }
    if (route === 'POST /users') return demoUser(body)
    if (route === 'POST /kyc') return decide(body)
    if (route === 'POST /funds') return moveMoney('receiveFunds', body)
    if (route === 'POST /settle') return moveMoney('settle', body)
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

  async function decide({ email, status = 'verified' }) {
    const found = state.users.filter((user) => user.email === String(email).toLowerCase())
    if (found.length === 0 || !STATUSES.includes(status)) return undefined
    for (const user of found) state.setUserStatus(user, status)
    await webhooks.idle()
    return { email, status }
  }

  async function moveMoney(move, { id }) {
    const transaction = state.transactions.find((row) => row.id === id)
    if (!transaction) return undefined
    state[move](transaction)
    await webhooks.idle()
    return { id, status: transaction.status }
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
