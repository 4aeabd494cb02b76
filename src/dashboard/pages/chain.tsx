import type { ChainBalances, ChainNetwork, ChainTransfer } from '../../http/control/wire.ts'
import { isOnChain } from '../../world/coins.ts'
import { fromMicros } from '../../world/money.ts'
import type { Transaction } from '../../world/state.ts'
import { allowedFrom, PROCESSING } from '../../world/transaction-status.ts'
import { plural } from '../format.ts'
import { Act } from '../forms.tsx'
import { Badge, Card, Copy, Empty, Fields, PageHead, Table } from '../parts.tsx'
import type { RenderPage, View } from '../view.ts'

/** Addresses whose balances are read, the newest ones. */
const ADDRESSES_MAX = 20

/** The chains behind the coins, who has how many, and what arrived. */
export const chain: RenderPage = async (view) => {
  const { networks } = await read<{ networks: ChainNetwork[] }>(view, '')
  const { transfers } = await read<{ transfers: ChainTransfer[] }>(view, '/transfers')
  const [first] = networks
  return {
    title: 'Chain',
    body: (
      <>
        <PageHead title="Chain" count={plural(transfers.length, 'transfer')}>
          {first && (
            <Act path="/_sandbox/chain/scan" done="Every block was read.">
              Scan
            </Act>
          )}
        </PageHead>
        {first === undefined && (
          <Empty title="Coins are simulated.">
            <p>
              Start with --chain http://127.0.0.1:8545 to have real tokens on a development chain.
            </p>
          </Empty>
        )}
        {networks.map((network) => (
          <NetworkCard network={network} />
        ))}
        {first && <Deposits view={view} />}
        {first?.problem === null && <Balances rows={await readAll(view)} />}
        {transfers.length > 0 && <Transfers view={view} transfers={transfers} />}
      </>
    ),
  }
}

async function read<Answer>(view: View, path: string): Promise<Answer> {
  return (await view.call(`/_sandbox/chain${path}`)).json() as Promise<Answer>
}

/** Of the wallets of buys and the deposit addresses of sells. */
async function readAll(view: View): Promise<ChainBalances[]> {
  const newest = view.world.transactions.slice(-ADDRESSES_MAX).reverse()
  const addresses = newest.map(({ side, wallet, depositAddress }) =>
    side === 'buy' ? wallet : depositAddress,
  )
  const found: ChainBalances[] = []
  for (const address of new Set(addresses)) {
    const answer = await view.call(`/_sandbox/chain/balances/${encodeURIComponent(address)}`)
    if (answer.ok) found.push((await answer.json()) as ChainBalances)
  }
  return found
}

const NetworkCard = ({ network }: { network: ChainNetwork }) => (
  <Card title={network.labels.join(', ')}>
    <Fields
      rows={{
        'Chain id': String(network.chainId ?? 'unknown'),
        Block: `${network.block}, read to ${network.readBlock}`,
        Account: <Address text={network.account ?? 'unknown'} />,
        ...Object.fromEntries(
          network.tokens.map(({ coin, address }) => [coin, <Address text={address} />]),
        ),
        Problem: network.problem ?? undefined,
      }}
    />
  </Card>
)

const Address = ({ text }: { text: string }) => (
  <>
    <code>{text}</code> <Copy text={text} what="this address" />
  </>
)

/** Sells that wait for their coins. */
const Deposits = ({ view }: { view: View }) => {
  const { world } = view
  const isWaiting = (sell: Transaction) =>
    sell.side === 'sell' &&
    isOnChain(world, sell.leftSideLabel) &&
    allowedFrom(world, sell.status).includes(PROCESSING)
  const waiting = world.transactions.filter(isWaiting).slice(-ADDRESSES_MAX).reverse()
  if (waiting.length === 0) return null
  return (
    <Card title="Waiting for coins">
      <Table
        head={['Sell', 'Deposit address', 'Amount', '']}
        rows={waiting.map((sell) => [
          <a href={view.page(`transactions/${sell.id}`)}>{sell.rmtId}</a>,
          <code>{sell.depositAddress}</code>,
          `${fromMicros(sell.leftSide)} ${sell.leftSideLabel}`,
          <Act
            path="/_sandbox/chain/send"
            body={{
              to: sell.depositAddress,
              amount: fromMicros(sell.leftSide),
              coin: sell.coin,
              network: sell.leftSideLabel.split('-')[1],
            }}
            done="The coins are on their way."
          >
            Send to deposit address
          </Act>,
        ])}
      />
    </Card>
  )
}

const Balances = ({ rows }: { rows: ChainBalances[] }) =>
  rows.length === 0 ? null : (
    <Card title="Balances">
      <Table
        head={['Address', 'Coins']}
        rows={rows.map(({ address, balances }) => [
          <code>{address}</code>,
          balances.map(({ network, coin, amount }) => `${amount} ${coin} on ${network}`).join(', '),
        ])}
      />
    </Card>
  )

const Transfers = ({ view, transfers }: { view: View; transfers: ChainTransfer[] }) => (
  <Card title="Transfers">
    <Table
      head={['Transaction', 'Amount', 'Outcome', 'Block', 'Hash']}
      rows={transfers
        .toReversed()
        .map((transfer) => [
          <a href={view.page(`transactions/${transfer.transactionId}`)}>
            {transfer.transactionId.slice(0, 8)}
          </a>,
          `${transfer.amount} ${transfer.coin ?? 'of another token'}`,
          <Badge status={transfer.gone ? 'gone' : transfer.outcome} />,
          `${transfer.block}`,
          <code>{transfer.hash}</code>,
        ])}
    />
  </Card>
)
