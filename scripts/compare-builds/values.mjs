// Values for the fields of calls: fixed ones by their name (values.json), and what the earlier build
// has returned so far in a round.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const { fields, bodies, first, weights } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'values.json'), 'utf8'),
)
export const KEYS = { main: 'sandbox-key', second: 'sandbox-key-2' }
const EVM = '0x52908400098527886e0f7030069857d2e4169ee7'
const SOLANA = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV'
const NOWHERE = '00000000-0000-4000-8000-000000000000'
const EMAILS = [
  'alice',
  'alice',
  'alice',
  'alice',
  'bob',
  'bob',
  'bob',
  'carol',
  'é漢🙂',
  'ana+ramp',
]
const COINS = ['USDC-ETH', 'USDC-ETH', 'USDC', 'USDC-SOL', 'USDC-POLY', 'CADC', 'CADC-BASE']
const LEGACY = [
  'verifiedEmail',
  'transactionInitiated',
  'transactionComplete',
  'transactionStatusUpdate',
]
const QUOTE = { leftSideLabel: 'CAD', leftSideValue: 100, rightSideLabel: 'USDC-ETH', quoteId: 1 }
const KEPT_MAX = 12

export class Known {
  #lists = {}

  add(kind, value) {
    const list = this.#lists[kind] ?? []
    this.#lists[kind] = list
    if (list.some((each) => JSON.stringify(each) === JSON.stringify(value))) return
    if (list.push(value) > KEPT_MAX) list.shift()
  }

  /** A random one, the newest most likely; otherwise what is given. */
  find(dice, kind, otherwise, isRight = () => true) {
    const list = (this.#lists[kind] ?? []).filter(isRight)
    if (list.length === 0 || dice.chance(0.03)) return otherwise
    return dice.chance(0.6) ? list.at(-1) : dice.pick(list)
  }

  /** What a call that was not refused has returned. */
  learn({ operation, query, headers }, { status, headers: returned }, json) {
    if (returned['x-sandbox-request']) this.add('req', returned['x-sandbox-request'])
    if (status >= 400) return
    const data = json.data ?? json
    const { authorization, 'x-api-key': key } = headers
    if (/quote$/i.test(operation)) this.add('quote', { ...query, ...data, ...query, key })
    if (/createTransaction$/i.test(operation))
      this.add('own', { id: data.id ?? data.tx, authorization })
    if (operation === 'takeSnapshot') this.add('snapshot', json.name)
    if (typeof json.cursor === 'string') this.add(`cursor of ${operation}`, json.cursor)
    this.#walk(json)
  }

  #walk(json) {
    if (json === null || typeof json !== 'object') return
    for (const [field, value] of Object.entries(json)) {
      if (typeof value === 'string') this.#learnText(field, value, json)
      else this.#walk(value)
    }
  }

  #learnText(field, value, row) {
    const prefix = /^(evt|dlv|req|act|fault|whsec)_\w+$/.exec(value)?.[1]
    if (prefix) this.add(prefix, value)
    if (value.startsWith('_act-')) this.add('share', value)
    if (row.kind === 'login-code') this.add('code', { email: row.to, code: row.code })
    const link = /\/_sandbox\/kyc\/([\w-]+)$/.exec(value)
    if (link) this.add('kyc', link[1])
    const isOrder = ['transactionId', 'tx'].includes(field) || 'leftSideLabel' in row
    if (/^[\da-f-]{36}$/.test(value)) {
      if (field === 'userId' || (field === 'id' && 'accessibleBy' in row)) this.add('user', value)
      else if (isOrder) this.add('transaction', value)
    }
    const claims = /^eyJ[\w-]+\.(eyJ[\w-]+)\.[\w-]+$/.exec(value)?.[1]
    if (!claims) return
    const { sub, integrator } = JSON.parse(Buffer.from(claims, 'base64url'))
    this.add('token', { token: value, userId: sub, key: KEYS[integrator] })
  }
}

const known = (kind, otherwise) => (draw) => draw.known.find(draw.dice, kind, otherwise)
const email = ({ dice }) => `${dice.pick(EMAILS)}@example.com`
/** Each integrator has URLs of its own, so that the webhooks to one arrive in order. */
const hook = ({ dice }) =>
  `http://receiver.test/{key}/v2/${dice.pick([204, 204, 204, 200, 500, 401, 302])}`
const code = ({ dice, known: all }) =>
  all.find(dice, 'code', { email: 'bob@example.com', code: '0000' })
const ownOrder = ({ dice, known: all, actor }) =>
  all.find(
    dice,
    'own',
    { id: NOWHERE },
    ({ authorization }) => authorization === `Bearer ${actor.token}`,
  ).id

/** Values that depend on what is known, by the name of a field, or by operation and field. */
export const pools = {
  after: ({ dice, known: all, operation }) =>
    dice.pick(['0', all.find(dice, `cursor of ${operation}`, '1')]),
  email: (draw) => (NEW_USER.test(draw.operation) ? newEmail(draw) : email(draw)),
  eventId: known('evt', 'evt_0'),
  id: known('transaction', NOWHERE),
  'deleteFault.id': known('fault', 'fault_0'),
  'getAction.id': known('act', 'act_0'),
  'getDelivery.id': known('dlv', 'dlv_0'),
  'getRequest.id': known('req', 'req_0'),
  'readEvents.id': known('evt', 'evt_0'),
  'resendDelivery.id': known('dlv', 'dlv_0'),
  'issueAccessToken.token': ({ actor }) => actor.token ?? 'x',
  'deleteSnapshot.name': known('snapshot', 'x'),
  'restoreSnapshot.name': known('snapshot', 'x'),
  'deleteWorld.name': () => 'other',
  quoteId: (draw) => known('quote', QUOTE)(draw).quoteId,
  ref: (draw) => known(draw.dice.pick(['user', 'transaction']), NOWHERE)(draw),
  shareToken: known('share', 'expired'),
  share_token: known('share', 'not-found'),
  token: known('kyc', 'x'),
  txId: ownOrder,
  tx_id: ownOrder,
  url: hook,
  user: (draw) => (draw.dice.chance(0.85) ? email(draw) : known('user', NOWHERE)(draw)),
  userId: ({ actor }) => actor.userId,
  wallet: ({ dice }) => dice.pick([EVM, EVM, EVM, EVM, '0x']),
  webhookUrl: hook,
}
for (const name of LEGACY) {
  pools[`${name}Url`] = ({ dice }) =>
    `http://receiver.test/{key}/v1-${dice.pick(['any', name])}/${dice.pick([204, 500])}`
}

const NEW_USER = /^(createUser|addUser|v1GenerateApiLink)$/
const newEmail = (draw) =>
  draw.dice.chance(0.3) ? email(draw) : `user-${draw.dice.below(1_000)}@example.com`

/** Bodies, or queries where there is no body, whose fields must fit each other. */
export const inputs = {
  createQuote: pair,
  v1PriceQuote: pair,
  createTransaction: order,
  v1CreateTransaction: (draw) => ({
    ...order(draw),
    ethCost: 0.375,
    gasId: known('quote', {})(draw).gasId ?? 1,
  }),
  verifyLoginCode: code,
  v1VerifyLoginCode(draw) {
    const { email: address, code: digits } = code(draw)
    return { email: address, login_code: digits }
  },
  readInbox: ({ dice }) => (dice.chance(0.5) ? { kind: 'login-code' } : undefined),
  importState: known('state', { formatVersion: -1 }),
  explainSignature: known('webhook', { headers: {}, body: '{}', secret: 'whsec_x' }),
  patchSettings({ dice, settings }) {
    const changed = Array.from({ length: 1 + dice.below(3) }, () => dice.pick(settings))
    return Object.fromEntries(changed.map(({ id, options }) => [id, dice.pick(options)]))
  },
}

function pair({ dice }) {
  const [coin, isBuy] = [dice.pick(COINS), dice.chance(0.7)]
  return {
    leftSideLabel: isBuy ? 'CAD' : coin,
    leftSideValue: dice.pick(fields.cad),
    rightSideLabel: isBuy ? coin : 'CAD',
  }
}

function order({ dice, known: all, actor }) {
  const { leftSideLabel, leftSideValue, rightSideLabel, quoteId } = all.find(
    ...[dice, 'quote', QUOTE, ({ key }) => key === actor.key],
  )
  const isSolana = [leftSideLabel, rightSideLabel].includes('USDC-SOL')
  return {
    leftSideLabel,
    leftSideValue: dice.chance(0.1) ? dice.pick(fields.cad) : Number(leftSideValue),
    rightSideLabel,
    wallet: isSolana === dice.chance(0.95) ? SOLANA : EVM,
    quoteId,
    ...(dice.chance(0.4) && { externalSessionId: dice.pick(fields.externalSessionId) }),
  }
}
