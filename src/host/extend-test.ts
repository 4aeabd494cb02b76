import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import type { RunnerTestCase, TestAPI } from 'vitest'
import { openWorld, type ResetOptions, type Sandbox } from '../client/client.ts'
import { FailureSummary } from './failure-summary.ts'
import { Log } from './log.ts'
import { type Host, openHost } from './open-host.ts'

/** How each test's world starts. By default, its clock is frozen at the current time. */
export type SandboxSetup = Omit<ResetOptions, 'keep'>

export interface SandboxFixtures {
  /** Changed with `test.override`, for a file or a `describe`. */
  sandboxSetup: SandboxSetup
  /** A world of the test's own with a frozen clock; it ends with the test. */
  sandbox: Sandbox
}

/** The sandbox of a worker, with what it saw in the world of each test that runs. */
interface SharedHost extends Host {
  summaries: Map<string, FailureSummary>
}

/** Adds `sandbox` to a `test` of Vitest, which the bundle does not import: it cannot be required. */
export function extendTest(base: TestAPI): TestAPI<SandboxFixtures> {
  assertOverride(base)
  return base.extend<SandboxFixtures & { sandboxHost: SharedHost }>({
    sandboxHost: [
      // biome-ignore lint/correctness/noEmptyPattern: Vitest reads which fixtures are needed.
      async ({}, use) => {
        const summaries: SharedHost['summaries'] = new Map()
        const log = new Log('findings', (entry) => summaries.get(entry.world)?.add(entry))
        const host = await openHost({ clock: 'frozen' }, log)
        await use({ ...host, summaries })
        await host.close()
      },
      { scope: 'worker' },
    ],
    sandboxSetup: {},
    sandbox: async ({ sandboxHost, sandboxSetup, task, onTestFailed }, use) => {
      const name = nameWorld(task)
      const summary = new FailureSummary()
      sandboxHost.summaries.set(name, summary)
      onTestFailed(() => {
        const text = summary.format(`The sandbox of "${task.name}" saw:`)
        if (text) console.error(text)
      })
      const world = openWorld({ ...sandboxHost, start: sandboxSetup }, name)
      if (Object.keys(sandboxSetup).length > 0) await world.reset()
      await use(world)
      await world.close()
      sandboxHost.summaries.delete(name)
    },
  })
}

const NAME_LENGTH_MAX = 48
/** Number of worlds of each test of this worker: retries and equal titles repeat it. */
const timesByTitle = new Map<string, number>()

function nameWorld({ file, fullTestName = '' }: Readonly<RunnerTestCase>): string {
  const title = [file.projectName, file.name, fullTestName].join(' > ')
  const times = (timesByTitle.get(title) ?? 0) + 1
  timesByTitle.set(title, times)
  const readable = `${basename(file.name)} ${fullTestName}`.replace(/[^A-Za-z0-9]+/g, '-')
  const hash = createHash('sha256').update(`${title} ${times}`).digest('hex').slice(0, 12)
  return `${readable.replace(/^-/, '').slice(0, NAME_LENGTH_MAX).replace(/-$/, '')}-${hash}`
}

function assertOverride(base: TestAPI): void {
  if ('override' in base) return
  throw new Error(
    'ramp-sandbox/vitest needs Vitest 4.1 or newer. docs/testing.md of the package shows what to do with an older one.',
  )
}
