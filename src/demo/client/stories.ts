import { api, readControl, simulate } from './api.ts'
import { chainOf } from './chain.ts'
import { skipHistory } from './follow.ts'
import { receiveWebhooks, sendCode, startAsNewUser, useSettings, verifyCode } from './onboarding.ts'
import { PROFILE_FIELDS, toProfile } from './profile.ts'
import { enqueue } from './queue.ts'
import { note, resumeSession } from './session.ts'
import { clearFaults } from './simulate.tsx'
import { change, state } from './store.ts'
import { goHome, orderOf, receiveCoins } from './trading.ts'

export interface StoryStep {
  caption: string
  /** The button that is pressed, by its `data-step`. */
  press?: string
  /** The button in the framed page, by a selector. */
  frame?: string
  run?: () => Promise<void>
}

export interface Story {
  title: string
  steps: readonly StoryStep[]
}

const press = (name: string, caption: string): StoryStep => ({ press: name, caption })
const inFrame = (selector: string, caption: string): StoryStep => ({ frame: selector, caption })
const see = (caption: string): StoryStep => ({ caption })

const begin = (caption: string): StoryStep => ({ caption, run: startNew })

/** Everything from the beginning, with no fault left that a story does not expect. */
export async function startNew(): Promise<void> {
  await clearFaults()
  await openWallet()
}

/** Faults stay: somebody may have added one to see what the wallet makes of it. */
async function openWallet(): Promise<void> {
  await skipHistory()
  await startAsNewUser()
}

/** Goes on with the session of before: after a reload, in a second window, on another device. */
export async function reopenWallet(): Promise<void> {
  await skipHistory()
  if (!(await resumeSession())) return startAsNewUser()
  useSettings(await readControl('/settings'))
  if (state.screen === 'home') await goHome()
}

const SIGN_UP: readonly StoryStep[] = [
  begin('Ana opens the wallet for the first time.'),
  press(
    'enter',
    'Ana enters an e-mail address. The server sets its webhook URL and looks for her.',
  ),
  press('register', 'She says who she is. The server creates the user and gets a KYC link.'),
  inFrame('.choice.likely', 'The identity check is the provider’s page. She takes her licence …'),
  inFrame('[data-go="selfie"]', '… shows it to the camera, and then her face.'),
  inFrame('[data-send]', 'Both go to a reviewer. A webhook says so, and the wallet waits.'),
]
const APPROVED = press(
  'sim-approve',
  'A reviewer approves. A signed webhook says so, and the server asks for a login code.',
)
const LOG_IN = press('use-code', 'Ana taps the code that arrived, and is in.')

/** Registered, verified and logged in before the story begins. */
const RETURNS: StoryStep = {
  caption: 'Ana is a customer already, verified and logged in, and holds some coins.',
  async run() {
    await startNew()
    const signed = 'Before: Ana signed up and was verified'
    await enqueue({ kind: 'server', title: signed, run: signUpAtOnce })
    await enqueue({ kind: 'tap', title: 'Ana logs in', run: sendCode })
    await enqueue({ kind: 'tap', title: 'Ana types the code', run: () => verifyCode(state.code) })
    await enqueue({ kind: 'outside', title: 'Before: Ana received coins', run: receiveCoins })
    change({ notice: '' })
  },
}

async function signUpAtOnce() {
  await receiveWebhooks()
  const fields = Object.fromEntries(PROFILE_FIELDS.map(([name, , value]) => [name, value]))
  const { id } = await api('POST', '/users', { email: state.email, ...toProfile(fields) })
  change({ userId: id, name: 'Ana' })
  await note({ name: 'Ana' })
  await simulate(`/simulate/users/${id}/kyc`, { status: 'verified' })
}

const ORDER: readonly StoryStep[] = [
  press('buy', 'Ana taps Buy. The server asks for a quote, which locks the rate.'),
  press(
    'review',
    'She checks it all: what she pays and gets, the fees, and how long the rate holds.',
  ),
  press('confirm', 'She confirms. The server creates the transaction; her bank gets a request.'),
]
const OPEN_BANK = press('bank', 'She opens her bank from the wallet. It asks for the same amount.')
const APPROVE = inFrame(
  'button[value="approve"]',
  'She approves. The provider has the e-transfer, and a webhook says so.',
)
const SETTLE = press(
  'sim-settle',
  'The provider sends the coins. The receipt has it all, and the hash.',
)
const home = (caption: string) => press('home', caption)

const HASH = chainOf(state.coin)
  ? 'It has the hash of the coins that she sent.'
  : 'A payout in CAD has no hash.'

export const STORIES = {
  buy: {
    title: 'Buy, from sign-up to coins',
    steps: [
      ...SIGN_UP,
      APPROVED,
      LOG_IN,
      ...ORDER,
      OPEN_BANK,
      APPROVE,
      SETTLE,
      home('The coins are in the wallet.'),
    ],
  },
  sell: {
    title: 'Sell, and deposit the money',
    steps: [
      RETURNS,
      press('sell', 'Ana taps Sell. The server asks for a quote.'),
      press('review', 'She checks what her bank will get, and the fees.'),
      press('confirm', 'She confirms. The answer has an address for her coins.'),
      press('send', 'She sends the coins from her wallet, and the provider sees them arrive.'),
      press('sim-settle', 'It pays out by e-transfer. The webhook has the security answer.'),
      press('deposit', 'Her bank asks for that answer.'),
      { caption: 'She types it in, and the money is in her account.', run: depositAtBank },
      press('back', `The wallet keeps the receipt. ${HASH}`),
      home('The coins are gone, and the money is at her bank.'),
    ],
  },
  kyc: {
    title: 'Rejected, then approved',
    steps: [
      ...SIGN_UP,
      press('sim-reject', 'The reviewer rejects. The webhook says that, and a message says why.'),
      press('again', 'She tries again, with a new link. The page says why, too.'),
      inFrame('[data-go="document"]', 'She starts over …'),
      inFrame('.choice', '… with her passport this time …'),
      inFrame('[data-go="selfie"]', '… and her face once more.'),
      inFrame('[data-send]', 'The reviewer looks again.'),
      APPROVED,
      LOG_IN,
    ],
  },
  expired: {
    title: 'A buy that expires',
    steps: [
      RETURNS,
      ...ORDER,
      see('The wallet shows the deadline. Ana does nothing.'),
      press(
        'sim-1h',
        'An hour passes at once. The order expired, a webhook says; nothing was taken.',
      ),
      press('home', 'Her session is over too, so the server asks for a new code.'),
      press('use-code', 'She taps it. Nothing is left open.'),
    ],
  },
  bank: {
    title: 'The bank says no',
    steps: [
      RETURNS,
      ...ORDER,
      press('sim-bank', 'Her bank declines: its limit is lower. No webhook, as no status changed.'),
      press('bank', 'The order is still open. She raises her limit, and opens the request again.'),
      APPROVE,
      SETTLE,
      home('The coins are in the wallet.'),
    ],
  },
  webhook: {
    title: 'A lost webhook, reconciled',
    steps: [
      RETURNS,
      ...ORDER,
      press('sim-lose', 'Webhooks are sent once. The next one is going to be lost.'),
      OPEN_BANK,
      inFrame(
        'button[value="approve"]',
        'She approves. The webhook is lost: the server knows nothing.',
      ),
      press('back', 'The wallet still waits for money that has arrived.'),
      press(
        'reconcile',
        'The server reads the transactions, as it should now and then, and finds it.',
      ),
      SETTLE,
      home('Nothing was lost but one message.'),
    ],
  },
} as const satisfies Record<string, Story>

export type StoryName = keyof typeof STORIES

export const isStory = (name: string | null): name is StoryName =>
  name !== null && Object.hasOwn(STORIES, name)

/** Types the security answer into the bank's form and sends it. */
async function depositAtBank() {
  const page = document.querySelector('iframe')?.contentDocument
  const field = page?.querySelector<HTMLInputElement>('input[name="answer"]')
  if (!field) return
  field.value = orderOf(state.transaction).answer ?? ''
  field.form?.requestSubmit()
}
