import { notShown } from './read.ts'
import { assertOk, isAccepted, isOk } from './reading.ts'
import {
  type ArrivedEvent,
  CannotImitate,
  type Context,
  type Findings,
  notMeasured,
  type Reading,
  type Step,
  step,
} from './step.ts'
import { NEW_USER } from './write.ts'

const CONFIGURATION = '/v2/webhook-configurations'
const LEGACY = '/webhooks'
/** Nobody listens there; an event that is sent meanwhile is lost, as it would be anywhere else. */
const LOOPBACK_URL = 'http://127.0.0.1:9/'

/** The URL of the configuration before the run; null for none. */
async function readConfiguration({ known, send }: Context): Promise<string | null> {
  if (known.webhookUrl !== undefined) return known.webhookUrl
  const read = await send(`GET ${CONFIGURATION}`, { isRefusal: true })
  const isNone = [400, 404, 409, 410, 422].includes(read.status)
  const url: unknown = isOk(read) ? (read.data?.url ?? null) : isNone ? null : undefined
  if (url !== null && typeof url !== 'string') {
    return notMeasured(`the webhook configuration cannot be read: ${read.status}`)
  }
  known.webhookUrl = url
  return url
}

/** Sets another URL; before the first time, it is written down what is put back at the end. */
async function configure(context: Context, url: string): Promise<Reading> {
  const { send, note, warn, changes } = context
  const before = await readConfiguration(context)
  if (changes.webhookUrl === undefined) {
    if (before === null) warn(SECRET)
    note({ webhookUrl: before })
  }
  return await send(`PUT ${CONFIGURATION}`, { body: { url }, isRefusal: true })
}

const SECRET =
  'there is no webhook configuration yet: the signing secret, which a provider shows once, comes to this run; rotate it before you use it'

const meeting = (meets: string, run: Step<Reading>['run']): Step<Reading> => ({
  ...step('write', [], run),
  ...{ meets, unlike: 'quote' },
})

/** A configuration is never deleted to see this: a provider may drop its secret with it. */
const withoutConfiguration = (route: string, meets: string) =>
  meeting(meets, async (context) => {
    const before = await readConfiguration(context)
    if (before !== null) return notMeasured('there is a webhook configuration')
    return await context.send(route, { isRefusal: true })
  })

export const HOOK_STEPS = {
  noneRead: withoutConfiguration(`GET ${CONFIGURATION}`, 'no-webhook-configuration'),
  noneDelete: withoutConfiguration(`DELETE ${CONFIGURATION}`, 'no-webhook-configuration'),
  noneTest: withoutConfiguration(`POST ${CONFIGURATION}/test`, 'no-webhook-to-test'),
  urlInvalid: meeting('invalid-url', (context) => configure(context, 'calibrate')),
  putLoopback: step('write', [], (context) => configure(context, LOOPBACK_URL)),
  legacyWithoutUrl: meeting('webhook-without-url', async ({ send, note }) => {
    const { data } = assertOk(await send(`GET ${LEGACY}`))
    const urls = Object.entries(data).filter(([name]) => name.endsWith('Url'))
    if (urls.some(([, url]) => url)) return notMeasured('there are URLs for legacy webhooks')
    note({ legacy: data.verifiedEmailEnabled === true })
    const body = { verifiedEmailEnabled: true }
    return await send(`PATCH ${LEGACY}`, { body, isRefusal: true })
  }),
  testEvent: step('write', ['receiver'], async (context): Promise<ArrivedEvent> => {
    const { receiver, send, known } = context
    assertOk(await configure(context, receiver?.url ?? ''))
    const arriving = receiver?.next(() => true)
    assertOk(await send(`POST ${CONFIGURATION}/test`))
    known.testEvent = (await arriving) ?? notMeasured('no event came that says it')
    return known.testEvent
  }),
  createEvent: step(
    'write',
    ['receiver', 'newUsers'],
    async ({ receiver, send, newEmail, known }) => {
      const email = newEmail('event')
      const { data } = assertOk(await send('POST /v2/users', { body: { email, ...NEW_USER } }))
      known.createEvent = await receiver?.next(({ body }) => body?.payload?.userId === data.id)
      return known.createEvent
    },
  ),
}

export const HOOK_FINDINGS: Findings<typeof HOOK_STEPS> = {
  putLoopback: {
    'webhooks.url': (reading, seen) =>
      assertOk(seen('quote')) && isAccepted(reading) ? 'loopback-http' : 'https-only',
  },
  testEvent: {
    'webhooks.test': ({ body }) => String(body?.type),
    'names.envelopeId': (event) => idOf([event]),
    'names.headerPrefix': ({ headers }) => {
      // Names of headers arrive in lower case, and are written like this.
      const name = Object.keys(headers).find((header) => header.endsWith('-signature'))
      const prefix = (name ?? notShown()).slice(0, -'-signature'.length)
      return prefix.replace(/(^|-)[a-z]/g, (first) => first.toUpperCase())
    },
  },
  createEvent: {
    'users.create.event': (event, _, { known }) =>
      known.testEvent === undefined ? notShown() : event === undefined ? 'none' : 'sent',
  },
}

/** What the id of events is called. */
export function idOf(events: readonly (ArrivedEvent | undefined)[]): string {
  const found = events.flatMap((event) => {
    if (event === undefined) return []
    const names = ['id', 'eventId'].filter((name) => typeof event.body?.[name] === 'string')
    return names.length === 2 ? ['both'] : (names[0] ?? 'none')
  })
  const [name, ...others] = new Set(found)
  if (others.length > 0) throw new CannotImitate(`it is ${[name, ...others].join(' or ')} by type`)
  return name ?? notShown()
}
