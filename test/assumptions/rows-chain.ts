import { CADC, type DevNode, USDC } from '../helpers/dev-node.ts'
import { PENDING, PROCESSING } from '../helpers/story.ts'
import type { Row, Rows } from './rows.ts'
import { type Scene, SELL } from './scene.ts'

const COIN = 1_000_000n

interface Sold {
  scene: Scene
  node: DevNode
  id: string
  deposit: string
}

/** A sell of 100 USDC, something on the chain, and what the user then sees. */
function afterSell(act: (sold: Sold) => Promise<void> | void, under: Row['under']): Row {
  return {
    async see(scene) {
      const { node } = scene
      if (!node) throw new Error('The scene has no chain.')
      const { data } = await scene.order(await scene.alice(), SELL)
      await act({ scene, node, id: data.id, deposit: data.depositAddress })
      await scan(scene)
      const { status, rightSideValue } = await scene.app.control('GET', `/transactions/${data.id}`)
      const { messages } = await scene.app.control('GET', '/inbox?kind=deposit-notice')
      return [status, rightSideValue, messages.length]
    },
    under,
  }
}

const scan = ({ app }: Scene) => app.control('POST', '/chain/scan')

export const CHAIN_ROWS: Rows = {
  'chain.confirmations': afterSell(
    ({ node, deposit }) => void node.transfer(USDC, deposit, 100n * COIN),
    { 1: [PROCESSING, 138.93, 0], 2: [PENDING, 138.93, 0] },
  ),
  'chain.tooLittle': afterSell(
    ({ node, deposit }) => void node.transfer(USDC, deposit, 50n * COIN),
    {
      waits: [PENDING, 138.93, 1],
      repriced: [PROCESSING, 69.28, 1],
      cancelled: ['cancelled', 138.93, 1],
    },
  ),
  'chain.tooMuch': afterSell(
    ({ node, deposit }) => void node.transfer(USDC, deposit, 200n * COIN),
    { ordered: [PROCESSING, 138.93, 1], repriced: [PROCESSING, 278.24, 1] },
  ),
  'chain.parts': afterSell(
    ({ node, deposit }) => {
      node.transfer(USDC, deposit, 40n * COIN)
      node.transfer(USDC, deposit, 60n * COIN)
    },
    { added: [PROCESSING, 138.93, 1], separate: [PENDING, 138.93, 2] },
  ),
  'chain.wrongToken': afterSell(
    ({ node, deposit }) => void node.transfer(CADC, deposit, 100n * COIN),
    { ignored: [PENDING, 138.93, 1], cancelled: ['cancelled', 138.93, 1] },
  ),
  'chain.notPending': afterSell(
    async ({ scene, node, id, deposit }) => {
      await scene.app.control('POST', `/simulate/transactions/${id}/cancelled`)
      node.transfer(USDC, deposit, 100n * COIN)
    },
    { message: ['cancelled', 138.93, 1], silent: ['cancelled', 138.93, 0] },
  ),
  'chain.reorganised': afterSell(
    async ({ scene, node, deposit }) => {
      const before = node.blocks.length - 1
      node.transfer(USDC, deposit, 100n * COIN)
      await scan(scene)
      node.revert(before)
    },
    { undone: [PENDING, 138.93, 1], kept: [PROCESSING, 138.93, 1] },
  ),
  'chain.time': {
    async see(scene) {
      const { data } = await scene.order(await scene.alice())
      const path = `/simulate/transactions/${data.id}/settled`
      await scene.app.control('POST', path, { through: true })
      return scene.node?.blocks.at(-1)?.time
    },
    under: { independent: 1, follow: 1_782_907_200 },
  },
}
