import { assertOk, isAccepted, isOk, notMeasured, notShown, type Reading } from './reading.ts'
import type { ArrivedEvent, Run } from './run.ts'
import { type Step, statusOf, step } from './step.ts'

const CONFIGURATION = '/v2/webhook-configurations'
const READ = `GET ${CONFIGURATION}`
const PUT = `PUT ${CONFIGURATION}`
const DELETE = `DELETE ${CONFIGURATION}`
const TEST = `POST ${CONFIGURATION}/test`
const REPEATABLE = { isRepeatable: true }
/** Nobody listens at this address, so events that are sent meanwhile are lost. */
const LOOPBACK_URL = 'http://127.0.0.1:9/'

/** The URL of the configuration before the run; null for none. */
async function readConfiguration(run: Run): Promise<string | null> {
  const { known } = run
  if (known.webhookDoubt !== undefined) return notMeasured(known.webhookDoubt)
  if (known.webhookUrl !== undefined) return known.webhookUrl
  const read = await run.send(READ)
  // A configuration in an unknown shape must not count as none, or the run would delete it.
  const isNone = saysNone(read)
  if (isNone) assertNone(run, read)
  const url: unknown = isNone ? null : isOk(read) ? read.data?.url : undefined
  if (url !== null && typeof url !== 'string') {
    return notMeasured(`the webhook configuration cannot be read: ${read.status}`)
  }
  known.webhookUrl = url
  return url
}

/** Recognises the response to reading a configuration that does not exist. */
export const saysNone = (read: Reading): boolean =>
  isOk(read)
    ? read.status === 204 || read.data === null
    : [400, 404, 409, 410, 422].includes(read.status)

/** Throws if anything says that there is a configuration, which the run would delete. */
function assertNone(run: Run, read: Reading) {
  const isShown = run.readings.some(
    (one) => one.route === read.route && isOk(one) && typeof one.data?.url === 'string',
  )
  if (isShown) notMeasured('a call shows a webhook configuration, and another shows none')
  if (run.isMissing(read)) {
    notMeasured('the provider responds to reading the webhook configuration as to an unknown path')
  }
}

/** Sets another URL; the first time, it notes the original one, which is restored at the end. */
async function configure(run: Run, url: string): Promise<Reading> {
  const { journal } = run
  const before = await readConfiguration(run)
  if (journal.changes.webhookUrl === undefined) {
    if (before === null) run.warn(SECRET)
    else await assertAccepted(run, before)
    journal.note({ webhookUrl: before })
  }
  const reading = await run.send(PUT, { body: { url }, ...REPEATABLE })
  if (isOk(reading)) run.known.isUrlChanged = true
  return reading
}

/** Throws if the provider would not take back the URL that it has. */
async function assertAccepted(run: Run, url: string) {
  const again = await run.send(PUT, { body: { url }, ...REPEATABLE, isTrial: true })
  if (isOk(again)) return
  doubt(run, `the provider does not accept the webhook URL that it has: ${again.status}`)
}

/** Keeps this run from changing the configuration. */
function doubt(run: Run, why: string): never {
  run.known.webhookDoubt = why
  return notMeasured(why)
}

const TESTED = 'a test event was sent without a webhook configuration'

const SECRET =
  'there is no webhook configuration yet: the signing secret, which a provider shows once, comes to this run; rotate it before you use it'

/** Step skipped if there is a configuration, because deleting it could also delete its secret. */
const withoutConfiguration = (meets: string, route: string) =>
  step(
    async (run) => {
      const before = await readConfiguration(run)
      if (before !== null) return notMeasured('there is a webhook configuration')
      const reading = await run.send(route, REPEATABLE)
      return route === TEST && isOk(reading) ? doubt(run, TESTED) : reading
    },
    statusOf(meets, 'quote'),
  )

export const HOOK_STEPS: Readonly<Record<string, Step>> = {
  // Before anything is changed: a test event that is sent shows that there is a configuration.
  noneTest: withoutConfiguration('no-webhook-to-test', TEST),
  noneDelete: withoutConfiguration('no-webhook-configuration', DELETE),
  urlInvalid: step((run) => configure(run, 'calibrate'), statusOf('invalid-url', 'quote')),
  putLoopback: step((run) => configure(run, LOOPBACK_URL), {
    'webhooks.url': (reading, seen) =>
      assertOk(seen('quote')) && isAccepted(reading) ? 'loopback-http' : 'https-only',
  }),
  testEvent: step(
    async (run) => {
      assertOk(await configure(run, run.receiverUrl()))
      assertOk(await run.send(TEST, REPEATABLE))
      run.known.testEvent =
        (await run.nextEvent(() => true)) ?? notMeasured('no event came that says it')
      return run.known.testEvent
    },
    {
      'webhooks.test': ({ body }) => String(body?.type),
      'names.envelopeId': idOf,
      'names.headerPrefix': ({ headers }) => {
        // Headers arrive in lower case, but the setting is written in title case.
        const name = Object.keys(headers).find((header) => header.endsWith('-signature'))
        const prefix = (name ?? notShown()).slice(0, -'-signature'.length)
        return prefix.replace(/(^|-)[a-z]/g, (first) => first.toUpperCase())
      },
    },
  ),
}

/** Recognises an event that names one of the ids, in whichever field. */
export const isAbout =
  (...ids: readonly string[]) =>
  ({ body }: ArrivedEvent): boolean =>
    ids.some((id) => JSON.stringify(body ?? null).includes(JSON.stringify(id)))

/** Finds the name of the field that holds an event's id: `id`, `eventId`, `both` or `none`. */
export function idOf({ body }: ArrivedEvent): string {
  const names = ['id', 'eventId'].filter((name) => typeof body?.[name] === 'string')
  return names.length === 2 ? 'both' : (names[0] ?? 'none')
}

/** Puts the configuration back as it was before the run, or before an earlier one that was killed. */
export async function restoreConfiguration(run: Run): Promise<void> {
  const { journal } = run
  const url = journal.changes.webhookUrl
  const restored =
    url === null
      ? await run.send(DELETE, REPEATABLE)
      : await run.send(PUT, { ...REPEATABLE, body: { url } })
  // There is nothing to delete where no URL was accepted.
  const isNone = url === null && !isOk(restored) && saysNone(await run.send(READ))
  if (!isOk(restored) && !isNone) return notMeasured(`${restored.status}`)
  // A later run that undoes other changes must not restore this URL again.
  delete journal.changes.webhookUrl
  journal.note({})
}
