import { api, control, readControl, simulate } from './api.ts'
import { skipHistory } from './follow.ts'
import {
  PROFILE_FIELDS,
  receiveWebhooks,
  sendCode,
  startAsNewUser,
  toProfile,
  useSettings,
  verifyCode,
} from './onboarding.ts'
import { enqueue } from './queue.ts'
import { note, resumeSession } from './session.ts'
import { chainOf, change, type StoryName, state } from './store.ts'
import { goHome, orderOf, receiveCoins } from './trading.ts'
import { t, type WordKey } from './words.ts'

export interface StoryStep {
  caption: WordKey
  /** The button that is pressed, by its `data-step`. */
  press?: string
  /** The button in the framed page, by a selector. */
  frame?: string
  run?: () => Promise<void>
}

interface Story {
  title: WordKey
  steps: readonly StoryStep[]
}

const press = (name: string, caption: WordKey): StoryStep => ({ press: name, caption })
const inFrame = (selector: string, caption: WordKey): StoryStep => ({ frame: selector, caption })

/** Everything from the beginning, with no fault left that a story does not expect. */
export async function startNew(): Promise<void> {
  await control('DELETE', '/faults')
  await skipHistory()
  await startAsNewUser()
}

/**
 * Goes on with the session of before: after a reload, in a second window, on another device. Faults
 * stay: somebody may have added one to see what the wallet makes of it.
 */
export async function reopenWallet(): Promise<void> {
  await skipHistory()
  if (!(await resumeSession())) return startAsNewUser()
  useSettings(await readControl('/settings'))
  if (state.screen === 'home') await goHome()
}

const SIGN_UP: readonly StoryStep[] = [
  { caption: 'Ana opens the wallet for the first time.', run: startNew },
  press(
    'enter',
    'Ana enters an e-mail address. The server sets its webhook URL and looks for her.',
  ),
  press('register', 'She says who she is. The server creates the user and gets a KYC link.'),
  inFrame('.choice.likely', 'The identity check is the provider’s page. She takes her licence …'),
  inFrame('[data-go="selfie"]', '… shows it to the camera, and then her face.'),
  inFrame('[data-send]', 'Both go to a reviewer. A webhook says so, and the wallet waits.'),
]
const LET_IN: readonly StoryStep[] = [
  press(
    'sim-approve',
    'A reviewer approves. A signed webhook says so, and the server asks for a login code.',
  ),
  press('use-code', 'Ana taps the code that arrived, and is in.'),
]

/** Registered, verified and logged in before the story begins. */
const RETURNS: StoryStep = {
  caption: 'Ana is a customer already, verified and logged in, and holds some coins.',
  async run() {
    await startNew()
    const steps = [
      ['server', 'Before: Ana signed up and was verified', signUpAtOnce],
      ['tap', 'Before: Ana asked for a code', sendCode],
      ['tap', 'Before: Ana logged in', () => verifyCode(state.code)],
      ['outside', 'Before: Ana received coins', receiveCoins],
    ] as const
    for (const [kind, title, run] of steps) await enqueue({ kind, title: t(title), run })
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
const ARRIVED = press('home', 'The coins are in the wallet.')

export const STORIES: Readonly<Record<StoryName, Story>> = {
  buy: {
    title: 'Buy, from sign-up to coins',
    steps: [...SIGN_UP, ...LET_IN, ...ORDER, OPEN_BANK, APPROVE, SETTLE, ARRIVED],
  },
  sell: {
    title: 'Sell, and deposit the money',
    steps: [
      RETURNS,
      press('sell', 'Ana taps Sell. The server asks for a quote.'),
      press('review', 'She checks what her bank will get, and the fees.'),
      press('confirm', 'She confirms. The response has an address for her coins.'),
      press('send', 'She sends the coins from her wallet, and the provider sees them arrive.'),
      press('sim-settle', 'It pays out by e-transfer. The webhook has the security answer.'),
      press('deposit', 'Her bank asks for that answer.'),
      { caption: 'She types it in, and the money is in her account.', run: depositAtBank },
      press(
        'back',
        chainOf(state.coin)
          ? 'The wallet keeps the receipt. It has the hash of the coins that she sent.'
          : 'The wallet keeps the receipt. A payout in CAD has no hash.',
      ),
      press('home', 'The coins are gone, and the money is at her bank.'),
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
      ...LET_IN,
    ],
  },
  expired: {
    title: 'A buy that expires',
    steps: [
      RETURNS,
      ...ORDER,
      { caption: 'The wallet shows the deadline. Ana does nothing.' },
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
      ARRIVED,
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
      press('home', 'Nothing was lost but one message.'),
    ],
  },
}

export const isStory = (name: string | null): name is StoryName =>
  name !== null && Object.hasOwn(STORIES, name)

/** Types the security answer into the bank's form and sends it. */
async function depositAtBank(): Promise<void> {
  const page = document.querySelector('iframe')?.contentDocument
  const field = page?.querySelector<HTMLInputElement>('input[name="answer"]')
  if (!field) return
  field.value = orderOf(state.transaction).answer ?? ''
  field.form?.requestSubmit()
}
