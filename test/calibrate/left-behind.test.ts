import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createJournal } from '../../src/calibrate/calibrate.ts'
import { judge } from '../../src/calibrate/judge.ts'
import { formatReport } from '../../src/calibrate/report.ts'
import type { Sandbox } from '../../src/client/client.ts'
import type { Json } from '../../src/client/http.ts'
import { createSandbox } from '../../src/host/create-sandbox.ts'
import { createFolder } from '../helpers/folder.ts'
import { runInProcess } from '../helpers/in-process.ts'
import { calibrateSecond, FIXTURE, KEY, NOW, type SecondSandbox, USER } from './second-sandbox.ts'

type Misbehave = NonNullable<SecondSandbox['misbehave']>

const CANCEL = /^PUT \/v2\/transactions\/.+\/cancel$/
const callOf = (url: string, { method }: RequestInit) => `${method} ${new URL(url).pathname}`

/** Changes the text of each response. */
const rewrite =
  (change: (text: string) => string): Misbehave =>
  (send) =>
  async (url, init) => {
    const response = await send(url, init)
    if (response.status === 204) return response
    return new Response(change(await response.text()), response)
  }

/** Refuses each cancellation, or only the first. */
const refuseCancel =
  ({ times }: { times: number }): Misbehave =>
  (send) => {
    let left = times
    return async (url, init) => {
      if (CANCEL.test(callOf(url, init)) && left-- > 0) return new Response('{}', { status: 403 })
      return await send(url, init)
    }
  }

async function openProvider() {
  return await createSandbox({ fixture: FIXTURE, clock: NOW, listen: false })
}

const runMoney = async (second: SecondSandbox) => {
  const run = await calibrateSecond({ ...second, level: 'money', isCompared: false })
  const judged = judge(run, {})
  return { ...run, outcome: judged.outcome, report: formatReport(run, judged, 'http://one.test') }
}

it('says of a transaction that stays open although cancelling it succeeded', async () => {
  await using sandbox = await openProvider()
  const ignore: Misbehave = (send) => async (url, init) => {
    if (!CANCEL.test(callOf(url, init))) return await send(url, init)
    return await send(url.replace('/cancel', ''), { ...init, method: 'GET' })
  }
  const { notPutBack, outcome, report } = await runMoney({ sandbox, misbehave: ignore })
  expect(notPutBack).toEqual([expect.stringContaining('it is still pending')])
  expect(outcome).toBe('failed')
  expect(report).toContain('A buy was made, and not cancelled.')
})

it('cancels a transaction whose response to the cancellation is empty, and looks that it is', async () => {
  await using sandbox = await openProvider()
  const empty: Misbehave = (send) => async (url, init) => {
    const response = await send(url, init)
    return CANCEL.test(callOf(url, init)) ? new Response(null, { status: 204 }) : response
  }
  const { notPutBack } = await runMoney({ sandbox, misbehave: empty })
  expect(notPutBack).toEqual([])
})

describe('the journal of a run that was killed', () => {
  const read = (sandbox: Sandbox, folder: string) => {
    const args = ['--against', sandbox.url, '--api-key', 'env:KEY', '--out', join(folder, 'p.json')]
    return (...more: string[]) => runInProcess(['calibrate', ...args, ...more], { KEY })
  }

  it('is named by a run that only reads, which cannot put anything back', async () => {
    await using sandbox = await createSandbox({ fixture: FIXTURE })
    const folder = createFolder(onTestFinished)
    const journal = join(folder, 'calibrate-journal.json')
    createJournal(journal, sandbox.url).note({ webhookUrl: 'https://ours.example.com/hooks' })
    const { err } = await read(sandbox, folder)()
    expect(err).toContain(`${journal}: an earlier run was not put back; --level write does it`)
    expect(existsSync(journal)).toBe(true)
  })

  it('stops the next run where it cannot be read, because it may name a webhook URL', async () => {
    await using sandbox = await createSandbox({ fixture: FIXTURE })
    const folder = createFolder(onTestFinished)
    const journal = join(folder, 'calibrate-journal.json')
    writeFileSync(journal, '{"provider":')
    const { code, err } = await read(sandbox, folder)('--level', 'write', '--yes')
    expect([code, err]).toEqual([1, expect.stringContaining('cannot be read')])
    expect(readFileSync(journal, 'utf8')).toBe('{"provider":')
  })
})

it('has nothing to put back where no webhook URL was accepted and there is none, whatever says so', async () => {
  const settings = { 'webhooks.url': 'https-only', 'status.no-webhook-configuration': 400 } as const
  const run = await calibrateSecond({ settings, level: 'write', isCompared: false })
  expect(run.notPutBack).toEqual([])
})

const SPELLINGS: [string, Misbehave][] = [
  [
    'its wallet in lower case',
    rewrite((text) => text.replaceAll(/0x0{36}dEaD/g, (wallet) => wallet.toLowerCase())),
  ],
  ['its status in capitals', rewrite((text) => text.replaceAll('"pending', '"PENDING'))],
]

it.each(SPELLINGS)('cancels its transaction at the end where the list has %s', async (_, spell) => {
  await using sandbox = await openProvider()
  const misbehave: Misbehave = (send) => refuseCancel({ times: 1 })(spell(send))
  const { notPutBack } = await runMoney({ sandbox, misbehave })
  const items = await sandbox.transactions.list()
  expect(items.filter(({ status }) => status !== 'cancelled')).toEqual([])
  expect(notPutBack).toEqual([])
})

it('finds its transaction in a long list that begins with the oldest, after a lost response', async () => {
  const settings = { 'transactions.list.order': 'oldest', 'transactions.list.limit': 2 } as const
  const more = { 'limits.active': 9 } as const
  await using sandbox = await createSandbox({
    ...{ fixture: FIXTURE, clock: NOW, listen: false },
    settings: { ...settings, ...more },
  })
  for (let i = 0; i < 4; i++) {
    await sandbox.control('POST', `/simulate/users/${USER}/buy`, { body: { cad: 50 } })
  }
  const before = new Set((await sandbox.transactions.list()).map(({ id }) => id))
  let isLost = false
  const lose: Misbehave = (send) => async (url, init) => {
    const response = await send(url, init)
    if (callOf(url, init) !== 'POST /v2/transactions' || !response.ok || isLost) return response
    isLost = true
    throw new TypeError('fetch failed')
  }
  const { notPutBack, leftBehind, report } = await runMoney({ sandbox, misbehave: lose })
  const own = (await sandbox.transactions.list()).filter(({ id }) => !before.has(id))
  expect(own.map(({ id }) => id).sort()).toEqual(leftBehind.transactions.sort())
  expect(report).not.toContain('nothing was bought')
  expect(own.filter(({ status }) => status !== 'cancelled')).toEqual([])
  expect(notPutBack).toEqual([])
})

it('cancels the transaction that it knows where no list shows it', async () => {
  await using sandbox = await openProvider()
  const hide: Misbehave = (send) => async (url, init) => {
    const response = await send(url, init)
    if (callOf(url, init) !== 'GET /v2/transactions' || !response.ok) return response
    const { data, ...json }: Json = await response.json()
    return Response.json({ ...json, data: { ...data, items: [], total: 0 } })
  }
  const misbehave: Misbehave = (send) => refuseCancel({ times: 1 })(hide(send))
  await runMoney({ sandbox, misbehave })
  const items = await sandbox.transactions.list()
  expect(items.filter(({ status }) => status !== 'cancelled')).toEqual([])
})
