import { api, control, simulate } from './api.ts'
import { receiveCoins } from './balances.ts'
import { note } from './customer.ts'
import {
  PROFILE_FIELDS,
  readSettings,
  receiveWebhooks,
  sendCode,
  startAsNewUser,
  toProfile,
  verifyCode,
} from './onboarding.ts'
import { goHome } from './orders.ts'
import { enqueue } from './queue.ts'
import { change, type StoryName, state } from './store.ts'

/**
 * Steps with their captions. A step is the `data-step` of a button, `frame` with the selector of a
 * button in the framed page, or one of `ACTS`.
 */
type Script = Readonly<Record<string, string>>

/** Begins with a new customer and without faults, which a story would not expect. */
export async function startNew(): Promise<void> {
  await control('DELETE', '/faults')
  await readSettings()
  await startAsNewUser()
}

/** Continues after a reload. Faults stay: somebody may have added one to see its effect. */
export async function reopenWallet(): Promise<void> {
  await readSettings()
  if (state.screen === 'home') await goHome()
}

const SIGN_UP: Script = {
  begin: 'Ana opens the wallet for the first time.',
  enter: 'Ana enters an e-mail address. The server sets its webhook URL and looks for her.',
  register: 'She enters her details. The server creates the user and gets a KYC link.',
  'frame [data-send]':
    'On the provider’s page she sends her documents. The provider sends a webhook, and the wallet waits.',
}
const LET_IN: Script = {
  'sim-approve':
    'A reviewer approves. A signed webhook arrives, and the server asks for a login code.',
  'use-code': 'Ana taps the code that arrived, and is logged in.',
}
const RETURNS: Script = {
  returns: 'Ana is already a customer: verified, logged in, and holding some coins.',
}
const ORDER: Script = {
  buy: 'Ana taps Buy. The server asks for a quote, which locks the rate.',
  review: 'She checks everything: what she pays and gets, the fees, and how long the rate holds.',
  confirm: 'She confirms. The server creates the transaction; her bank gets a request.',
}
const OPEN_BANK: Script = {
  bank: 'She opens her bank from the wallet. It asks for the same amount.',
}
const APPROVE: Script = {
  'frame button[value="approve"]':
    'She approves. The provider receives the e-transfer and sends a webhook.',
}
const SETTLE: Script = {
  'sim-settle': 'The provider sends the coins. The receipt shows everything, with the hash.',
}
const ARRIVED: Script = { home: 'The coins are in the wallet.' }

const stepsOf = (...scripts: Script[]) => scripts.flatMap((script) => Object.entries(script))

type Story = readonly [title: string, steps: readonly (readonly [does: string, string])[]]

export const STORIES: Readonly<Record<StoryName, Story>> = {
  buy: [
    'Buy, from sign-up to coins',
    stepsOf(SIGN_UP, LET_IN, ORDER, OPEN_BANK, APPROVE, SETTLE, ARRIVED),
  ],
  sell: [
    'Sell, and deposit the money',
    stepsOf(RETURNS, {
      sell: 'Ana taps Sell. The server asks for a quote.',
      review: 'She checks what her bank will get, and the fees.',
      confirm: 'She confirms. The response has an address for her coins.',
      send: 'She sends the coins from her wallet, and the provider sees them arrive.',
      'sim-settle': 'It pays out by e-transfer. The webhook has the security answer.',
      deposit: 'Her bank asks for that answer.',
      answer: 'She types it in, and the money is in her account.',
      back: 'The wallet keeps the receipt. A payout in CAD has no hash.',
      home: 'The coins are gone, and the money is at her bank.',
    }),
  ],
  kyc: [
    'Rejected, then approved',
    stepsOf(
      SIGN_UP,
      {
        'sim-reject':
          'The reviewer rejects her. A webhook reports it, and a message gives the reason.',
        again: 'She tries again with a new link. The page gives the reason, too.',
        'frame [data-send]': 'She sends her passport this time, and the reviewer looks again.',
      },
      LET_IN,
    ),
  ],
  expired: [
    'A buy that expires',
    stepsOf(RETURNS, ORDER, {
      wait: 'The wallet shows the deadline. Ana does nothing.',
      'sim-1h':
        'An hour passes in an instant. A webhook reports that the order has expired; nothing was taken.',
      home: 'Her session has expired too, so the server asks for a new code.',
      'use-code': 'She taps the new code and is logged in again. No order is open.',
    }),
  ],
  bank: [
    'The bank declines first',
    stepsOf(
      RETURNS,
      ORDER,
      {
        'sim-bank':
          'Her bank declines: its limit is lower. No webhook is sent, because no status changed.',
        bank: 'The order is still open. She raises her limit, and opens the request again.',
      },
      APPROVE,
      SETTLE,
      ARRIVED,
    ),
  ],
  webhook: [
    'A lost webhook, reconciled',
    stepsOf(
      RETURNS,
      ORDER,
      { 'sim-lose': 'Webhooks are sent once. The next one is going to be lost.' },
      OPEN_BANK,
      {
        'frame button[value="approve"]':
          'She approves. The webhook is lost, so the server doesn’t know.',
        back: 'The wallet is still waiting for money that has arrived.',
        reconcile:
          'The server reads the transactions, as it should regularly, and finds the payment.',
      },
      SETTLE,
      { home: 'Only one webhook was lost.' },
    ),
  ],
}

export const isStory = (name: string | null): name is StoryName =>
  name !== null && Object.hasOwn(STORIES, name)

/** Selectors of what captions name, where small screens may not show it. */
export const NAMED: Readonly<Partial<Record<string, string>>> = {
  'She checks everything: what she pays and gets, the fees, and how long the rate holds.': '.lock',
  'The provider sends the coins. The receipt shows everything, with the hash.':
    '[data-row="Transfer"]',
  'It pays out by e-transfer. The webhook has the security answer.': '[data-row="Security answer"]',
  'The wallet shows the deadline. Ana does nothing.': '.track .now',
}

/** Steps that do not press a button. */
export const ACTS: Readonly<Record<string, () => Promise<void>>> = {
  begin: startNew,
  returns: returnAsCustomer,
  answer: depositAtBank,
  wait: async () => undefined,
}

/** Registers, verifies and logs in the customer before the story begins. */
async function returnAsCustomer(): Promise<void> {
  await startNew()
  const steps = [
    ['server', 'Before: Ana signed up and was verified', signUpAtOnce],
    ['tap', 'Before: Ana asked for a code', sendCode],
    ['tap', 'Before: Ana logged in', () => verifyCode(state.code)],
    ['outside', 'Before: Ana received coins', receiveCoins],
  ] as const
  for (const [kind, title, run] of steps) await enqueue({ kind, title, run })
  change({ notice: '' })
}

async function signUpAtOnce() {
  await receiveWebhooks()
  const fields = Object.fromEntries(PROFILE_FIELDS.map(([name, , value]) => [name, value]))
  const { id } = await api<{ id: string }>('POST', '/users', {
    email: state.email,
    ...toProfile(fields),
  })
  change({ userId: id })
  note({ name: 'Ana' })
  await simulate(`/simulate/users/${id}/kyc`, { status: 'verified' })
}

/** Types the security answer of the e-mail into the bank's form and sends it. */
async function depositAtBank(): Promise<void> {
  const page = document.querySelector<HTMLIFrameElement>('.phone iframe')?.contentDocument
  const field = page?.querySelector<HTMLInputElement>('input[name="answer"]')
  if (!field) return
  const query = `?kind=payout&ref=${state.transaction?.id}`
  const { messages } = await control<'inbox.read'>('GET', `/inbox${query}`)
  field.value = messages.at(-1)?.code ?? ''
  field.form?.requestSubmit()
}
