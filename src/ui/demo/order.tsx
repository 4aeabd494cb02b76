import type { TransactionResponse } from '../../http/v2/shapes.ts'
import { copyText } from '../lib/copy.ts'
import { pathTo } from './api.ts'
import { networkOf } from './coins.ts'
import { formatCad, formatCountdown, formatMoment, shorten } from './format.ts'
import { Icon } from './icons.tsx'
import { cancel, deadlineOf, factsOf, goHome, noteOrder, sendCoins } from './orders.ts'
import { Foot, Outcome, Press, rateLine, Sheet, Top, Track, WebPage } from './parts.tsx'
import { enqueue } from './queue.ts'
import { startOrder } from './quotes.ts'
import { change, state } from './store.ts'
import { theme } from './theme.ts'
import { coinLabel, getsOf, isBuy, isDone, isOpen, isPending, paysOf } from './transactions.ts'

interface OrderProps {
  row: TransactionResponse
}

export const Order = () => {
  const { transaction: row } = state
  if (!row) return null
  return isOpen(row) ? <Progress row={row} /> : <Receipt row={row} />
}

const toHome = (kind: 'primary' | 'plain') => (
  <Press step="home" text="Done" kind={kind} act={goHome} />
)
const openBank = () => change({ screen: 'bank' })
const wayOf = (row: TransactionResponse): string =>
  isBuy(row) ? 'Sending your coins' : 'Sending your money'

const Progress = ({ row }: OrderProps) => {
  const isBuying = isBuy(row)
  const amount = paysOf(row)
  if (!isPending(row)) {
    return (
      <div class="screen">
        <Top title={wayOf(row)} back={goHome} />
        <Steps row={row} />
        <Details row={row} />
        <Foot>{toHome('plain')}</Foot>
      </div>
    )
  }
  const address = row.depositAddress || factsOf(row).depositAddress
  const network = networkOf(row.leftSideLabel)
  return (
    <div class="screen">
      <Top title={`${isBuying ? 'Pay' : 'Send'} ${amount}`} back={goHome} />
      <Steps row={row} />
      <div class="how">
        <p>
          {isBuying
            ? `Your bank has a request for ${amount}. Approve it there.`
            : `Send the coins to this address on ${network}.`}
        </p>
        <Sheet
          lines={[
            ['Deposit address', !isBuying && <code>{address}</code>],
            ['Reference', <code key="reference">{row.rmtId}</code>],
          ]}
        />
      </div>
      <Foot>
        {isBuying ? (
          <Press step="bank" text="Open my bank" icon="bank" kind="primary" act={openBank} />
        ) : (
          <Press step="send" text={`Send ${amount}`} kind="primary" act={sendCoins} />
        )}
        <Press step="cancel" text="Cancel this order" kind="danger" act={cancel} />
      </Foot>
    </div>
  )
}

const Steps = ({ row }: OrderProps) => {
  const isWaiting = isPending(row)
  const { gotAt } = factsOf(row)
  const left = deadlineOf(row) - state.now
  const deadline = left > 0 ? `Expires in ${formatCountdown(left)}` : ''
  const got = gotAt ? formatMoment(gotAt) : ''
  const { waiting, came } = isBuy(row) ? BUY_STEPS : SELL_STEPS
  return (
    <Track
      now={isWaiting ? 1 : 2}
      steps={[
        ['Order placed', formatMoment(Date.parse(row.date))],
        [isWaiting ? waiting : came, isWaiting ? deadline || 'Expires now' : got],
        [wayOf(row), 'We will let you know'],
      ]}
    />
  )
}

const BUY_STEPS = { waiting: 'Waiting for your e-transfer', came: 'Payment received' } as const
const SELL_STEPS = { waiting: 'Waiting for your coins', came: 'Coins received' } as const

const Receipt = ({ row }: OrderProps) => {
  const isBuying = isBuy(row)
  if (!isDone(row)) return <Failed row={row} />
  const { isDeposited } = factsOf(row)
  const amount = getsOf(row)
  const soldTitle = `${amount} is ${isDeposited ? 'in your account' : 'waiting at your bank'}`
  const title = isBuying ? `You received ${amount}` : soldTitle
  return (
    <div class="screen">
      <Outcome icon="check" tone="good" title={title} />
      <Details row={row} />
      <Foot>
        {!isBuying && !isDeposited && (
          <Press step="deposit" text="Deposit at my bank" icon="bank" act={openBank} />
        )}
        <div class="row">
          <Press step="share" text="Share" act={() => share(row)} />
          {toHome('primary')}
        </div>
      </Foot>
    </div>
  )
}

const Failed = ({ row }: OrderProps) => {
  const isExpired = row.status === 'expired'
  const [side, why] = isBuy(row) ? (['buy', NOT_PAID] as const) : (['sell', NOT_SENT] as const)
  return (
    <div class="screen">
      <Outcome
        icon={isExpired ? 'clock' : 'cross'}
        tone="over"
        title={isExpired ? 'This order has expired' : 'This order was cancelled'}
        text={isExpired ? why : 'Nothing was bought or sold.'}
      />
      <Foot>
        <Press step="reorder" text="Start again" act={() => startOrder(side)} />
        {toHome('primary')}
      </Foot>
    </div>
  )
}

const NOT_PAID = 'No payment arrived in time, so nothing was bought.'
const NOT_SENT = 'The coins did not arrive in time, so nothing was sold.'

/** Opens the system's share sheet, or copies where there is none. */
async function share(row: TransactionResponse) {
  const text = `Reference: ${row.rmtId} · ${getsOf(row)}`
  if (navigator.share) return void navigator.share({ title: theme.name, text }).catch(() => null)
  if (await copyText(text)) change({ notice: 'Copied' })
}

const Details = ({ row }: OrderProps) => {
  const { breakdown, rate, answer, doneAt } = factsOf(row)
  const isBuying = isBuy(row)
  const coin = coinLabel(row)
  const hash = isDone(row) && isBuying && row.paymentId
  const wallet = isBuying && <code>{shorten(row.wallet)}</code>
  const next = isBuying ? 'The coins arrive in this wallet' : 'Your bank gets an e-transfer'
  const received = isBuying ? 'You received' : 'Paid out'
  return (
    <Sheet
      class="sheet-list"
      lines={[
        // These come first because captions name them, and buttons may cover what is below.
        ['Security answer', !isBuying && answer && <code>{answer}</code>],
        ['Transfer', hash && <Hash id={row.id} hash={hash} />],
        [isBuying ? 'You paid' : 'You sent', paysOf(row)],
        [isDone(row) ? received : 'You get', getsOf(row)],
        [isBuying ? 'Delivered to' : 'Paid to', wallet || 'Your bank, by e-transfer'],
        ['Network', networkOf(coin)],
        ['Total fees', breakdown?.total !== undefined && formatCad(breakdown.total)],
        rateLine(coin, rate),
        ['Date', isDone(row) && formatMoment(doneAt ?? Date.parse(row.date))],
        ['Reference', <code key="reference">{row.rmtId}</code>],
        ['Next', !isDone(row) && next],
      ]}
    />
  )
}

const Hash = ({ id, hash }: { id: string; hash: string }) => (
  <a class="hash" href={pathTo(`/ui/transactions/${id}`)} target="_blank" rel="noreferrer">
    <code>{shorten(hash)}</code>
    <Icon name="link" size={15} />
  </a>
)

/** The page of the user's bank, as the phone opens it. */
export const Bank = () => {
  const wallet = encodeURIComponent(theme.name)
  return (
    <WebPage
      host="your-bank.example"
      src={pathTo(`/bank/${state.transaction?.id}?for=${wallet}`)}
      title="Your bank, by e-transfer"
      close={() => change({ screen: 'order' })}
      onLoad={(event) => onBank(event.target as HTMLIFrameElement)}
    />
  )
}

/** Notes that the bank deposited a payout. */
function onBank({ contentDocument }: HTMLIFrameElement) {
  const { transaction: row } = state
  const isDeposited = contentDocument?.querySelector('.bank .outcome.good') !== null
  if (!row || isBuy(row) || !isDeposited || factsOf(row).isDeposited) return
  const run = () => noteOrder(row.id, { isDeposited: true })
  void enqueue({ kind: 'outside', title: 'The bank deposited the money', run })
}
