import type { Json } from '../../client/http.ts'
import { catchName, control, readControl, simulate } from './api.ts'
import { checkAgain } from './onboarding.ts'
import { reconcile } from './orders.ts'
import { stepsOf } from './player.ts'
import { enqueue, outside } from './queue.ts'
import { askQuote, startOrder } from './quotes.ts'
import { loseNext } from './simulate.tsx'
import { type ChoiceName, state } from './store.ts'
import { isBuy, isOpen, isPending } from './transactions.ts'
import { coinOf, t, type WordKey } from './words.ts'

interface Choice {
  text: WordKey
  /** Checks if it can happen at this moment. */
  isDue: () => boolean
  /** Steps of a story that lead to such a moment. */
  after: readonly string[]
  /** Step of a story that does the same, so that the two phones would not differ. */
  own?: string
  /** Makes it happen in this world. */
  happen: () => Promise<unknown>
  /** True if it replaces the planned event instead of disturbing it. */
  isInstead: boolean
}

const MOVED_BY = 0.05

/** The choices of “What if …?”, by their names in the address. */
export const CHOICES: Readonly<Record<ChoiceName, Choice>> = {
  late: {
    text: 'She pays after the hour',
    isDue: () => isOpenOrder(),
    after: ['confirm'],
    own: 'sim-1h',
    happen: payLate,
    isInstead: true,
  },
  rejected: {
    text: 'Her identity check is rejected',
    isDue: isUnderReview,
    after: ['frame [data-send]'],
    own: 'sim-reject',
    happen: () => decide('rejected', [t('The document has expired')]),
    isInstead: true,
  },
  lost: {
    text: 'The webhook is lost',
    isDue: () => nextEvent() !== undefined,
    after: ['frame [data-send]', 'confirm'],
    own: 'sim-lose',
    happen: loseNext,
    isInstead: false,
  },
  bank: {
    text: 'The bank refuses',
    isDue: () => isOpenOrder() && isBuy(state.transaction),
    after: ['bank'],
    own: 'sim-bank',
    happen: () => move('bank-refused'),
    isInstead: true,
  },
  rate: {
    text: 'The rate moves 5%',
    isDue: isFreeOfQuotes,
    after: ['use-code', 'returns'],
    happen: moveRate,
    isInstead: false,
  },
  down: {
    text: 'Our server is down for a minute',
    isDue: () => nextEvent() !== undefined,
    after: ['frame [data-send]', 'confirm'],
    happen: () => simulate(`/catch/${catchName}/respond`, { status: 503 }),
    isInstead: false,
  },
}

export const isChoice = (name: string | null): name is ChoiceName =>
  name !== null && Object.hasOwn(CHOICES, name)

export function textOf(name: ChoiceName): WordKey {
  const isSelling = state.transaction ? !isBuy(state.transaction) : state.player?.story === 'sell'
  return name === 'late' && isSelling ? 'She sends the coins too late' : CHOICES[name].text
}

/** Choices that make sense now, or at a later step of the story. */
export function listChoices(): ChoiceName[] {
  const { player } = state
  const steps = player ? stepsOf(player.story).slice(player.at) : []
  const coming = steps.map(([does]) => does)
  return Object.keys(CHOICES)
    .filter(isChoice)
    .filter((name) => {
      const { isDue, after, own = '' } = CHOICES[name]
      return !coming.includes(own) && (isDue() || after.some((step) => coming.includes(step)))
    })
}

/** Does what would happen next if everything went well. */
export async function goOn(): Promise<void> {
  const next = nextEvent()
  if (next) await outside(t(...next.title), next.run)
  else if (state.screen === 'home') {
    const title = t('{name} taps “{button}”', { name: state.name, button: t('Buy') })
    await enqueue({ kind: 'tap', title, run: () => startOrder('buy') })
  }
}

/** A minute later the server responds again, and reads what it missed. */
export async function recover(): Promise<void> {
  await outside(t('A minute passes, and our server is back'), async () => {
    await simulate('/clock/advance', { by: '1m' })
    await control('DELETE', `/catch/${catchName}/requests`)
  })
  await readMissed()
}

/** The server asks for what no webhook told it: the user search before a login, then the orders. */
export const readMissed = (): Promise<void> =>
  enqueue({
    kind: 'server',
    title: t('The server reads what it missed'),
    run: state.token === '' ? checkAgain : reconcile,
  })

interface NextEvent {
  title: Parameters<typeof t>
  run: () => Promise<unknown>
}

/** The next event from outside that a webhook reports. */
function nextEvent(): NextEvent | undefined {
  const { transaction: row, name } = state
  if (isUnderReview()) {
    return { title: ['The reviewer approves'], run: () => decide('verified') }
  }
  if (isOpenOrder()) {
    const title: WordKey = isBuy(row) ? '{name} decides at the bank' : '{name} sends the coins'
    return { title: [title, { name }], run: () => move('funds-received') }
  }
  if (!row?.status.startsWith('processing')) return undefined
  return { title: ['The provider settles'], run: () => move('settled') }
}

/** In a story the customer sends the documents first. */
function isUnderReview(): boolean {
  const { screen, player, userId } = state
  return userId !== '' && (screen === 'review' || (screen === 'identify' && player === null))
}

const isOpenOrder = (): boolean =>
  ['order', 'bank'].includes(state.screen) &&
  state.transaction !== null &&
  isPending(state.transaction)

/** True between orders; one that is open or being confirmed has its rate from a quote. */
function isFreeOfQuotes(): boolean {
  const { userStatus, screen, transaction } = state
  return userStatus === 'verified' && screen !== 'confirm' && !(transaction && isOpen(transaction))
}

const move = (lever: string): Promise<Json> =>
  simulate(`/simulate/transactions/${state.transaction?.id}/${lever}`)

const decide = (status: string, reasons?: string[]): Promise<Json> =>
  simulate(`/simulate/users/${state.userId}/kyc`, { status, ...(reasons && { reasons }) })

async function payLate(): Promise<void> {
  const { windowsMs, transaction } = state
  await simulate('/clock/advance', { by: windowsMs[isBuy(transaction) ? 'buy' : 'sell'] })
}

/** Moves the rate against the customer. */
async function moveRate(): Promise<void> {
  const coin = coinOf(state.coin)
  const { cad } = (await readControl('/rates'))[coin]
  const factor = isSelling() ? 1 - MOVED_BY : 1 + MOVED_BY
  await control('PUT', '/rates', { [coin]: { cad: Math.round(cad * factor * 1e4) / 1e4 } })
  // A new quote shows the new rate. One that is being confirmed keeps its own.
  if (state.screen === 'amount') await askQuote()
}

const isSelling = () =>
  state.screen === 'amount' ? state.side === 'sell' : state.player?.story === 'sell'
