import { Address } from '../../levers/chain.ts'
import type { CoinHolder } from '../../levers/coin-holder.ts'
import { DomainError } from '../../world/domain-error.ts'
import { toMicros } from '../../world/money.ts'
import type { Services } from '../services.ts'
import { implement } from './dialect.ts'

export const chain = [
  implement('chain.networks', ({ services }) => readStatus(services.coins)),
  implement('chain.balances', async ({ services, param }) => {
    const address = param('address')
    if (!Address().safeParse(address).success) {
      throw new DomainError('invalid', 'address must be 0x and 40 digits.', { field: 'address' })
    }
    return { address, balances: await getCoins(services).balances(address) }
  }),
  implement('chain.scan', async ({ services }) => {
    const coins = getCoins(services)
    await coins.scan()
    return await readStatus(coins)
  }),
  implement('chain.send', async ({ services, input: { body } }) => {
    const { coin = 'USDC', amount } = body
    if (!toMicros(amount)) {
      throw new DomainError('invalid', 'amount may have at most six decimals.', { field: 'amount' })
    }
    return await getCoins(services).send({ ...body, coin })
  }),
]

function getCoins({ coins }: Services): CoinHolder {
  if (coins) return coins
  throw new DomainError('chain', 'No chain is behind this sandbox.', {
    field: 'chain',
    hint: 'Start it with `--chain http://127.0.0.1:8545`.',
  })
}

const readStatus = async (coins: CoinHolder | undefined) => ({
  networks: (await coins?.networks()) ?? [],
  log: coins?.log ?? [],
})
