import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cancelOwn } from './money.ts'
import type { Exchange, Provider } from './provider.ts'
import { isOk } from './reading.ts'
import {
  ABILITIES,
  type Ability,
  type Changes,
  type Context,
  type Level,
  NotMeasured,
  notMeasured,
  toNotMeasured,
} from './step.ts'
import { isWithin, STEPS } from './steps.ts'

/** What one run has seen. */
export interface MeasuredRun {
  /** By step. */
  results: ReadonlyMap<string, { value: unknown } | NotMeasured>
  /** What could not be put back, with how to do it by hand. */
  leftBehind: string[]
  exchanges: readonly Exchange[]
  context: Context
}

export interface RunOptions {
  level: Level
  abilities: ReadonlySet<Ability>
  provider: Provider
  journal: ChangeJournal
  context: Context
  onStep?: ((id: string) => void) | undefined
}

/** Makes the calls of a level, in order, and puts back at the end whatever they changed. */
export async function runSteps(options: RunOptions): Promise<MeasuredRun> {
  const { level, abilities, provider, journal, context, onStep } = options
  const results = new Map<string, { value: unknown } | NotMeasured>()
  let leftBehind: string[] = []
  try {
    for (const [id, { needs, run }] of Object.entries(STEPS)) {
      if (!isWithin(id, level)) continue
      provider.step = id
      const missing = needs.find((ability) => !abilities.has(ability))
      const act = async () =>
        missing ? notMeasured(`it needs ${ABILITIES[missing]}`) : await run(context)
      results.set(id, await act().then((value) => ({ value }), toNotMeasured))
      onStep?.(id)
    }
  } finally {
    provider.ignoreSignal()
    provider.step = 'put back'
    leftBehind = await putBack(context)
    if (leftBehind.length === 0) journal.end()
  }
  return { results, leftBehind, context, exchanges: provider.exchanges }
}

/** What a run has changed and not put back yet; in a file, so that a later run can put it back. */
export type ChangeJournal = ReturnType<typeof createJournal>

/** `file` holds nothing that is secret; without one, a run that is killed leaves nothing behind. */
export function createJournal(file?: string, provider = '') {
  const changes: Changes = {}
  if (file !== undefined) {
    const { provider: other, ...earlier } = read(file)
    if (other !== undefined && other !== provider) {
      const why = `is of another provider (${other}): finish it there, or delete it`
      throw new NotMeasured(`${file} ${why}`)
    }
    Object.assign(changes, earlier)
  }
  return {
    changes,
    note(change: Changes) {
      Object.assign(changes, change)
      if (file === undefined) return
      const text = JSON.stringify({ provider, ...changes }, null, 2)
      writeFileSync(file, `${text}\n`, { mode: 0o600 })
    },
    end() {
      if (file !== undefined) rmSync(file, { force: true })
    },
  }
}

function read(file: string): Changes & { provider?: string } {
  try {
    const json = JSON.parse(readFileSync(file, 'utf8'))
    return typeof json?.provider === 'string' ? json : {}
  } catch {
    return {}
  }
}

/** Puts back what was changed; returns what it could not, with how to do it by hand. */
async function putBack(context: Context): Promise<string[]> {
  const { changes, send } = context
  const { webhookUrl, legacy, ordered } = changes
  const leftBehind: string[] = []
  if (ordered !== undefined) {
    const title = `PUT /v2/transactions/${ordered ?? '{id}'}/cancel of the pending one`
    await attempt(title, () => cancelOwn(context))
  }
  if (legacy !== undefined) {
    const body = { verifiedEmailEnabled: legacy }
    await attempt(`PATCH ${JSON.stringify(body)} to /webhooks`, async () => {
      const { status } = await send('PATCH /webhooks', { body })
      if (status >= 300) return notMeasured(`${status}`)
    })
  }
  if (webhookUrl !== undefined) {
    const route = '/v2/webhook-configurations'
    const [method, body] = webhookUrl === null ? ['DELETE'] : ['PUT', { url: webhookUrl }]
    const title = body ? `PUT ${JSON.stringify(body)} to ${route}` : `DELETE ${route}`
    await attempt(title, async () => {
      const call = { isRefusal: true, ...(body && { body }) }
      const restored = await send(`${method} ${route}`, call)
      if (!isOk(restored) && restored.status !== 404) return notMeasured(`${restored.status}`)
    })
  }
  return leftBehind

  async function attempt(title: string, undo: () => Promise<void>) {
    await undo().catch((error: unknown) => {
      leftBehind.push(`${title} (${toNotMeasured(error).message})`)
    })
  }
}
