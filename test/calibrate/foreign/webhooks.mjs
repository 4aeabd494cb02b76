import { createHmac, randomBytes } from 'node:crypto'

export const createSecret = () => `whs_${randomBytes(24).toString('base64url')}`
const createEventId = () => `evt_${randomBytes(12).toString('hex')}`

/** Sends what happens to the integrator of the user. */
export function createWebhooks(state) {
  const { terms } = state
  let queue = Promise.resolve()

  async function post(integrator, url, body) {
    const text = JSON.stringify(body)
    const timestamp = String(Math.floor(Date.now() / 1000))
    const digest = createHmac('sha256', integrator.secret)
      .update(`${timestamp}.${text}`)
      .digest('hex')
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'harbour-events/3',
      [`${terms.headerPrefix}-Timestamp`]: timestamp,
      [`${terms.headerPrefix}-Signature`]: `v1=${digest}`,
    }
    const signal = AbortSignal.timeout(terms.webhookTimeoutMs)
    const sent = { method: 'POST', headers, body: text, signal, redirect: 'manual' }
    return await fetch(url, sent).then(
      ({ status, statusText }) => ({ status, text: statusText }),
      (error) => ({ status: 502, text: `Not delivered: ${error.cause?.code ?? error.name}` }),
    )
  }

  /** Webhooks leave one after the other; without a signing secret there are none. */
  function send(integrator, url, body) {
    if (!url || !integrator.secret) return Promise.resolve(undefined)
    const sent = queue.then(() => post(integrator, url, body))
    queue = sent
    return sent
  }

  function toEnvelope(type, payload) {
    const id = createEventId()
    const name = type === 'transaction.update' ? 'eventId' : 'id'
    const occurredAt = new Date(state.now()).toISOString()
    return {
      id,
      body: { [name]: id, apiVersion: 'v2', livemode: false, occurredAt, type, payload },
    }
  }

  const sendV2 = (integrator, type, payload) =>
    send(integrator, integrator.webhook?.url, toEnvelope(type, payload).body)

  state.onUser = ({ id, owner, email, status }) => {
    sendV2(owner, 'user.update', { userId: id, email, status, updatedAt: state.now() })
  }

  state.onTransaction = (transaction) => {
    const { id, user, side } = transaction
    const payload = { transactionId: id, ...toPayload(transaction), side }
    sendV2(user.owner, 'transaction.update', payload)
  }

  /** Every user has autodeposit here, so there never is a security answer. */
  function toPayload({ user, status, wallet, paymentId, externalSessionId, ...row }) {
    const { leftSideLabel, leftSideValue, rightSideLabel, rightSideValue } = row
    return {
      ...{ status, email: user.email, wallet, paymentId },
      ...{ leftSideLabel, leftSideValue, rightSideLabel, rightSideValue },
      [terms.securityAnswerField]: null,
      externalSessionId,
    }
  }

  async function test(integrator) {
    const nobody = { status: 'complete', wallet: `0x${'0'.repeat(40)}`, paymentId: null }
    Object.assign(nobody, { user: { email: 'nobody@harbour.example' }, externalSessionId: null })
    Object.assign(nobody, { leftSideLabel: 'CAD', leftSideValue: 100 })
    Object.assign(nobody, { rightSideLabel: 'USDC-POLY', rightSideValue: 71.83 })
    const payload = { transactionId: '00000000-0000-4000-8000-000000000000', ...toPayload(nobody) }
    const { id, body } = toEnvelope('transaction.update', { ...payload, synthetic: true })
    const { status, text } = await send(integrator, integrator.webhook.url, body)
    return { eventId: id, deliveredStatusCode: status, deliveredStatusText: text }
  }

  /** Resolves once every webhook so far was sent. */
  const idle = () => queue

  return { test, idle }
}
