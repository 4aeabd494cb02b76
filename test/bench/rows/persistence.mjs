import { statfs } from 'node:fs/promises'
import { CALLERS, openSessions, toCreation, toRequests } from '../calls.mjs'
import { startHelper } from '../processes.mjs'
import { openSandbox, toBuys } from '../sandbox.mjs'
import { compareServing } from '../serving.mjs'

const STORED = 10_000
const TMPFS = 0x01021994

export const persistence = {
  name: `POST /v2/transactions, --data, ${STORED.toLocaleString('en')} stored`,
  beside: 'the same in memory',
  unit: 'requests/s',
  aim: { least: 0.5 },
  async measure({ rounds, nodeArgs }) {
    const transactions = toBuys({ count: STORED, users: CALLERS })
    const options = { users: CALLERS, transactions, nodeArgs }
    const kept = await openSandbox({ ...options, isKept: true })
    const { type } = await statfs(kept.folder)
    if (type === TMPFS) throw new Error(`${kept.folder} is no disk; TMPDIR can name another place`)
    const inMemory = await openSandbox(options)
    const load = startHelper('load', 'load.mjs')
    const [ours, bare] = [await toSide(kept), await toSide(inMemory)]
    const measured = await compareServing({ load, rounds, ours, bare })
    await Promise.all([kept.stop(), inMemory.stop(), load.stop()])
    return measured
  },
}

async function toSide(sandbox) {
  const sessions = await openSessions(sandbox)
  await sandbox.take()
  const requests = toRequests(sessions.map(toCreation))
  return { port: sandbox.port, requests, prepare: sandbox.restore }
}
