import { CALLERS, openSessions, toCreation, toRead, toRequests } from '../calls.mjs'
import { startHelper } from '../processes.mjs'
import { openSandbox } from '../sandbox.mjs'
import { compareServing } from '../serving.mjs'

/** What the live log costs: a reader takes it from /dev/null, or from a terminal. */
export const logRows = ['/dev/null', 'a terminal'].flatMap((target) => [
  toRow('GET /v2/transactions/{id}', target, (session, id) => toRead(session, id)),
  toRow('POST /v2/transactions', target, (session) => toCreation(session)),
])

function toRow(name, target, toCall) {
  return {
    name: `${name}, the log goes to ${target}`,
    beside: 'the same without a log',
    unit: 'requests/s',
    aim: { least: 0.95 },
    measure: (options) => measureLogged(options, target, toCall),
  }
}

async function measureLogged({ rounds, nodeArgs }, target, toCall) {
  const load = startHelper('load', 'load.mjs')
  const sandboxes = [
    await openSandbox({ users: CALLERS, nodeArgs, log: target }),
    await openSandbox({ users: CALLERS, nodeArgs }),
  ]
  const [ours, bare] = await Promise.all(
    sandboxes.map(async (sandbox) => {
      const calls = []
      for (const session of await openSessions(sandbox)) {
        const { json } = await sandbox.call(...toCreation(session))
        calls.push(toCall(session, json.data.id))
      }
      return { port: sandbox.port, requests: toRequests(calls) }
    }),
  )
  const measured = await compareServing({ load, rounds, ours, bare })
  await Promise.all([...sandboxes, load].map(({ stop }) => stop()))
  return measured
}
