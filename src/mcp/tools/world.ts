import * as z from 'zod'
import type { Sandbox } from '../../client/client.ts'
import type { Assumption } from '../../http/control/assumptions.ts'
import type {
  Advanced,
  ClockState,
  SettingChanges,
  WorldInfo,
  WorldState,
} from '../../http/control/wire.ts'
import { presentHappened, ROWS_MAX } from '../present.ts'
import { createTool } from '../tool.ts'

const Length = (what: string) => z.union([z.string(), z.number()]).optional().describe(what)

/** A world as a whole: what it is, its start, its clock and its settings. */
export const worldTools = [
  createTool('get_info', {
    description:
      'Where the sandbox is and what it holds: base URL and API keys to give the app, clock, counts, webhook URLs, documents. Call it first.',
    reads: true,
    run: async ({ sandbox }) => presentInfo(await sandbox.info()),
  }),
  createTool('reset_world', {
    description:
      'Start the world anew. Everything that happened in it is gone, and settings and faults too.',
    input: {
      fixture: z
        .string()
        .optional()
        .describe(
          '`default` has no users, `verified-user` has alice@example.com, `cast` has five users of every kind.',
        ),
      seed: z.string().optional().describe('The text that all ids derive from.'),
      clock: z
        .string()
        .optional()
        .describe('`running`, `frozen`, or an instant such as 2026-07-01T12:00:00Z, frozen there.'),
      keep: z.array(z.enum(['webhooks', 'clock'])).optional(),
    },
    run: ({ sandbox, input: body }) => sandbox.control<WorldState>('POST', '/reset', { body }),
  }),
  createTool('advance_clock', {
    description:
      'Move world time forward, which expires transactions, codes and links, and delivers the webhooks of it. Without arguments, read the clock and what is scheduled.',
    input: {
      by: Length('A length such as `30m`, `1h`, `2d`.'),
      to: z.string().optional().describe('An instant ahead, ISO 8601.'),
      toNext: z.literal(true).optional().describe('To what is scheduled next.'),
      mode: z
        .enum(['frozen', 'running'])
        .optional()
        .describe('Whether time moves only on request, or with the wall clock.'),
    },
    run: async ({ sandbox, input: { mode, ...target } }) => {
      const moves = Object.values(target).some((value) => value !== undefined)
      const advanced = moves && (await advance(sandbox, target))
      const { freeze, resume, read } = sandbox.clock
      const state = await (mode === undefined ? read() : mode === 'frozen' ? freeze() : resume())
      return { ...presentClock(state), ...advanced }
    },
  }),
  createTool('change_settings', {
    description:
      'Change what the provider leaves open, such as `{"quotes.ttl": "5m"}`; null is the default. With `search` alone, find settings, their values and options.',
    input: {
      set: z.record(z.string(), z.union([z.string(), z.number(), z.null()])).optional(),
      search: z.string().optional().describe('A word of the id or of the question.'),
    },
    run: async ({ sandbox, input: { set, search } }) => {
      const words = search === undefined ? Object.keys(set ?? {}) : [search]
      if (set !== undefined) await sandbox.settings.set(set as SettingChanges)
      return { settings: await findSettings(sandbox, words) }
    },
  }),
]

function presentInfo(info: WorldInfo) {
  const { version, world, baseUrl, controlUrl, dashboardUrl, seed, fixture, now, mode } = info
  const { preset, taskCount, integrators, names, v1 } = info
  const { users, usersByStatus, transactions, transactionsByStatus, requests } = info.counts
  return {
    version,
    world,
    baseUrl,
    integrators,
    clock: { now, mode, scheduled: taskCount },
    fixture,
    seed,
    preset,
    counts: { users, usersByStatus, transactions, transactionsByStatus, requests },
    signature: { timestampHeader: names.timestampHeader, signatureHeader: names.signatureHeader },
    v1: v1.answers ? 'answers' : 'answers 410',
    documents: {
      dashboard: dashboardUrl,
      reference: `${controlUrl}/reference`,
      api: `${baseUrl}/openapi.json`,
      controlApi: `${controlUrl}/openapi.json`,
    },
  }
}

async function advance(sandbox: Sandbox, body: object) {
  const advanced = await sandbox.control<Advanced>('POST', '/clock/advance', { body })
  const { from, to, fired, firedCount, ...happened } = advanced
  return { from, to, fired: fired.slice(0, ROWS_MAX), firedCount, ...presentHappened(happened) }
}

const presentClock = ({ now, mode, tasks, taskCount }: ClockState) => ({
  now,
  mode,
  scheduled: tasks.slice(0, ROWS_MAX),
  scheduledCount: taskCount,
})

/** Those with one of the words in their id or question. */
async function findSettings(sandbox: Sandbox, words: readonly string[]) {
  const { items } = await sandbox.control<{ items: Assumption[] }>('GET', '/assumptions')
  const has = (text: string) => words.some((word) => text.includes(word.toLowerCase()))
  const found = items.filter((row) => has(`${row.id} ${row.question}`.toLowerCase()))
  return found.map(({ id, question, value, default: standard, options }) => {
    return { id, question, value, default: standard, options }
  })
}
