import { startHelper } from '../processes.mjs'
import { measureRounds } from '../rounds.mjs'
import { openSandbox, toBuys } from '../sandbox.mjs'

const COUNT = 5_000

export const deliveries = {
  name: 'webhook deliveries in order',
  beside: 'a bare node:http keep-alive POST loop, same bytes',
  unit: 'POSTs/s',
  aim: { least: 0.75 },
  async measure({ rounds, nodeArgs }) {
    // All due at one instant, so that nothing but the line decides when the next one leaves.
    const transactions = toBuys({ count: COUNT, users: 1 })
    const sandbox = await openSandbox({ users: 1, transactions, nodeArgs })
    const receiver = startHelper('load', 'receiver.mjs')
    const poster = startHelper('server', 'bare-poster.mjs')
    const { port } = await receiver.ask({ open: true })
    const url = `http://127.0.0.1:${port}/webhooks`
    await sandbox.call('PUT', '/v2/webhook-configurations', { body: { url } })
    await sandbox.take()
    const count = async (send) => {
      await receiver.ask({ expect: COUNT })
      const [{ perSecond, bytes }] = await Promise.all([receiver.ask({}), send()])
      sizes.add(bytes)
      return perSecond
    }
    const sizes = new Set()
    const ours = () => count(() => expireAll(sandbox))
    await ours()
    const { headers, body } = await lastDelivery(sandbox)
    const measured = await measureRounds({
      rounds,
      warmUps: 2,
      ours,
      bare: () => count(() => poster.ask({ url, headers, body, count: COUNT })),
    })
    if (sizes.size > 1) throw new Error(`${COUNT} POSTs of ${[...sizes].join(' and ')} bytes`)
    await Promise.all([sandbox.stop(), receiver.stop(), poster.stop()])
    return measured
  },
}

async function expireAll(sandbox) {
  await sandbox.restore()
  const { json } = await sandbox.call('POST', '/_sandbox/clock/advance', { body: { by: '1h' } })
  if (json.firedCount !== COUNT) throw new Error(`${json.firedCount} tasks fired`)
}

/** One as it went over the wire, for the bare loop to send again. */
async function lastDelivery(sandbox) {
  const path = '/_sandbox/webhooks/deliveries?outcome=delivered'
  const { json } = await sandbox.call('GET', path)
  return json.deliveries.at(-1).request
}
