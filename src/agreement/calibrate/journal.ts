import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isOk } from './reading.ts'
import { type Context, NotMeasured } from './step.ts'

/** What a run has changed and not put back yet, as its file holds it. */
interface Changes {
  /** Base URL of the provider. */
  provider: string
  /** The webhook configuration before the run; null for none. */
  webhookUrl?: string | null
  /** The transaction that it made. */
  transaction?: string
  /** Whether a legacy webhook was switched on. */
  legacy?: boolean
}

export interface ChangeJournal {
  note: Context['note']
  /** Puts back at the end of this run what an earlier one could not. */
  resume(context: Context): Promise<void>
  /** Forgets what was put back. */
  end(): void
}

export const NO_JOURNAL: ChangeJournal = {
  note: () => undefined,
  resume: async () => undefined,
  end: () => undefined,
}

/** Writes down what a run changes before it does, so that a run after a crash can put it back. */
export function openJournal(file: string, provider: string): ChangeJournal {
  let changes: Changes = { provider }
  return { note, resume, end: () => rmSync(file, { force: true }) }

  function note(change: Omit<Changes, 'provider'>) {
    changes = { ...changes, ...change }
    writeFileSync(file, `${JSON.stringify(changes, null, 2)}\n`, { mode: 0o600 })
  }

  async function resume({ known, send, putBack }: Context) {
    const earlier = read()
    if (earlier === undefined) return
    if (earlier.provider !== provider) {
      const why = 'is of another provider: finish it there, or delete it'
      throw new NotMeasured(`${file} ${why} (${earlier.provider})`)
    }
    changes = earlier
    const { webhookUrl, transaction, legacy } = earlier
    if (webhookUrl !== undefined) restoreConfiguration(webhookUrl)
    if (transaction !== undefined) {
      const path = { txId: transaction }
      putBack(`PUT /v2/transactions/${transaction}/cancel`, async () => {
        if (known.token === undefined) throw new NotMeasured('there is no access token')
        const { token } = known
        const cancelled = await send('PUT /v2/transactions/:txId/cancel', {
          ...{ path, token },
          isRefusal: true,
        })
        if (cancelled.status >= 500) throw new NotMeasured(`${cancelled.status}`)
      })
    }
    if (legacy === true) {
      const body = { verifiedEmailEnabled: false }
      putBack(`PATCH ${JSON.stringify(body)} to /webhooks`, async () => {
        await send('PATCH /webhooks', { body })
      })
    }

    function restoreConfiguration(url: string | null) {
      known.webhookUrl = url
      known.isNoted = true
      const route = '/v2/webhook-configurations'
      const title = url === null ? `DELETE ${route}` : `PUT ${JSON.stringify({ url })} to ${route}`
      putBack(title, async () => {
        const call = { isRefusal: true, ...(url !== null && { body: { url } }) }
        const restored = await send(`${url === null ? 'DELETE' : 'PUT'} ${route}`, call)
        if (!isOk(restored) && restored.status !== 404) throw new NotMeasured(`${restored.status}`)
      })
    }
  }

  function read(): Changes | undefined {
    try {
      const json = JSON.parse(readFileSync(file, 'utf8'))
      return typeof json?.provider === 'string' ? json : undefined
    } catch {
      return undefined
    }
  }
}
