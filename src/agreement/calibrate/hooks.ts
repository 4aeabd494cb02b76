import { assertOk, isAccepted, isOk, notShown } from './reading.ts'
import {
  type ArrivedEvent,
  type Context,
  notMeasured,
  type Reading,
  receiverOf,
  type Step,
  statusOf,
  step,
} from './step.ts'
import { NEW_USER } from './write.ts'

const CONFIGURATION = '/v2/webhook-configurations'
/** Nobody listens there; an event that is sent meanwhile is lost, as it would be anywhere else. */
const LOOPBACK_URL = 'http://127.0.0.1:9/'

/** The URL of the configuration before the run; null for none. */
async function readConfiguration({ known, send }: Context): Promise<string | null> {
  if (known.webhookUrl !== undefined) return known.webhookUrl
  const read = await send(`GET ${CONFIGURATION}`)
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
  return await send(`PUT ${CONFIGURATION}`, { body: { url }, isRepeatable: true })
}

const SECRET =
  'there is no webhook configuration yet: the signing secret, which a provider shows once, comes to this run; rotate it before you use it'

/** A configuration is never deleted to see this: a provider may drop its secret with it. */
const withoutConfiguration = (route: string, meets: string) =>
  step({
    async run(context) {
      const before = await readConfiguration(context)
      if (before !== null) return notMeasured('there is a webhook configuration')
      return await context.send(route, { isRepeatable: true })
    },
    tells: statusOf(meets, 'quote'),
  })

export const HOOK_STEPS: Readonly<Record<string, Step>> = {
  noneRead: withoutConfiguration(`GET ${CONFIGURATION}`, 'no-webhook-configuration'),
  noneDelete: withoutConfiguration(`DELETE ${CONFIGURATION}`, 'no-webhook-configuration'),
  noneTest: withoutConfiguration(`POST ${CONFIGURATION}/test`, 'no-webhook-to-test'),
  urlInvalid: step({
    run: (context) => configure(context, 'calibrate'),
    tells: statusOf('invalid-url', 'quote'),
  }),
  putLoopback: step({
    run: (context) => configure(context, LOOPBACK_URL),
    tells: {
      'webhooks.url': (reading, seen) =>
        assertOk(seen('quote')) && isAccepted(reading) ? 'loopback-http' : 'https-only',
    },
  }),
  testEvent: step({
    async run(context) {
      const { send, known } = context
      const { url, next } = receiverOf(context)
      assertOk(await configure(context, url))
      const arriving = next(() => true)
      assertOk(await send(`POST ${CONFIGURATION}/test`))
      known.testEvent = (await arriving) ?? notMeasured('no event came that says it')
      return known.testEvent
    },
    tells: {
      'webhooks.test': ({ body }) => String(body?.type),
      'names.envelopeId': idOf,
      'names.headerPrefix': ({ headers }) => {
        // Names of headers arrive in lower case, and are written like this.
        const name = Object.keys(headers).find((header) => header.endsWith('-signature'))
        const prefix = (name ?? notShown()).slice(0, -'-signature'.length)
        return prefix.replace(/(^|-)[a-z]/g, (first) => first.toUpperCase())
      },
    },
  }),
  createEvent: step({
    async run(context) {
      const { send, newEmail, known } = context
      const { next } = receiverOf(context)
      if (known.testEvent === undefined) return notShown()
      const body = { email: newEmail('event'), ...NEW_USER }
      const { data } = assertOk(await send('POST /v2/users', { body }))
      return await next((event) => event.body?.payload?.userId === data.id)
    },
    tells: {
      'users.create.event': (event) => (event === undefined ? 'none' : 'sent'),
      'names.envelopeId': (event) => idOf(event ?? notShown()),
    },
  }),
}

/** Reads the id of an event, whatever its name is. */
export function idOf({ body }: ArrivedEvent): string {
  const names = ['id', 'eventId'].filter((name) => typeof body?.[name] === 'string')
  return names.length === 2 ? 'both' : (names[0] ?? 'none')
}
