import type { READ_STEPS } from './read.ts'
import { assertOk, isAccepted, isOk } from './reading.ts'
import type { Reading } from './step.ts'
import { type ArrivedEvent, type Context, NotMeasured, probesOf, refused, step } from './step.ts'
import { NEW_USER, type WRITE_STEPS } from './write.ts'

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
    throw new NotMeasured(`the webhook configuration cannot be read: ${read.status}`)
  }
  known.webhookUrl = url
  return url
}

/** Sets another URL; the first time, it is written down what the run puts back at its end. */
async function configure(context: Context, url: string): Promise<Reading> {
  const { send, note, putBack, known } = context
  const before = await readConfiguration(context)
  if (known.isNoted !== true) {
    known.isNoted = true
    note({ webhookUrl: before })
    const title = before === null ? 'DELETE' : `PUT ${JSON.stringify({ url: before })} to`
    putBack(`${title} ${CONFIGURATION}`, async () => {
      const restored =
        before === null
          ? await send(`DELETE ${CONFIGURATION}`, { isRefusal: true })
          : await send(`PUT ${CONFIGURATION}`, { body: { url: before } })
      if (!isOk(restored) && restored.status !== 404) throw new NotMeasured(`${restored.status}`)
    })
  }
  return await send(`PUT ${CONFIGURATION}`, { body: { url }, isRefusal: true })
}

/** A configuration is never deleted to see this: a provider may drop its secret with it. */
const withoutConfiguration = (method: string, path: string) =>
  step('write', [], async (context) => {
    const before = await readConfiguration(context)
    if (before !== null) throw new NotMeasured('there is a webhook configuration')
    return await context.send(`${method} ${path}`, { isRefusal: true })
  })

export const HOOK_STEPS = {
  noneRead: refused(
    'no-webhook-configuration',
    'quote',
    withoutConfiguration('GET', CONFIGURATION),
  ),
  noneTest: refused(
    'no-webhook-to-test',
    'quote',
    withoutConfiguration('POST', `${CONFIGURATION}/test`),
  ),
  noneDelete: refused(
    'no-webhook-configuration',
    'quote',
    withoutConfiguration('DELETE', CONFIGURATION),
  ),
  urlInvalid: refused(
    'invalid-url',
    'quote',
    step('write', [], (context) => configure(context, 'calibrate')),
  ),
  putLoopback: step('write', [], (context) => configure(context, LOOPBACK_URL)),
  legacyWithoutUrl: refused(
    'webhook-without-url',
    'quote',
    step('write', [], async ({ send, putBack, note }) => {
      const { data } = assertOk(await send(`GET ${LEGACY}`))
      const urls = Object.entries(data).filter(([name]) => name.endsWith('Url'))
      if (urls.some(([, url]) => url)) throw new NotMeasured('there are URLs for legacy webhooks')
      note({ legacy: true })
      const { verifiedEmailEnabled } = data
      putBack(`PATCH ${JSON.stringify({ verifiedEmailEnabled })} to ${LEGACY}`, async () => {
        assertOk(await send(`PATCH ${LEGACY}`, { body: { verifiedEmailEnabled } }))
      })
      const body = { verifiedEmailEnabled: true }
      return await send(`PATCH ${LEGACY}`, { body, isRefusal: true })
    }),
  ),
  testEvent: step('write', ['receiver'], async (context): Promise<ArrivedEvent> => {
    const { receiver, send } = context
    assertOk(await configure(context, receiver?.url ?? ''))
    const arriving = receiver?.next(() => true)
    assertOk(await send(`POST ${CONFIGURATION}/test`))
    return (await arriving) ?? noEvent()
  }),
  createEvent: step(
    'write',
    ['receiver', 'newUsers'],
    async ({ receiver, send, newEmail }): Promise<ArrivedEvent | undefined> => {
      const email = newEmail('event')
      const { data } = assertOk(await send('POST /v2/users', { body: { email, ...NEW_USER } }))
      return await receiver?.next(({ body }) => body?.payload?.userId === data.id)
    },
  ),
}

const probe = probesOf<typeof HOOK_STEPS & typeof WRITE_STEPS & typeof READ_STEPS>()

export const HOOK_PROBES = [
  probe('webhooks.url', ['quote', 'putLoopback'], ({ quote, putLoopback }) => {
    assertOk(quote)
    return isAccepted(putLoopback) ? 'loopback-http' : 'https-only'
  }),
  probe('webhooks.test', ['testEvent'], ({ testEvent }) => String(testEvent.body?.type)),
  probe('names.envelopeId', ['testEvent'], ({ testEvent: { body } }) => {
    const names = ['id', 'eventId'].filter((name) => typeof body?.[name] === 'string')
    return names.length === 2 ? 'both' : (names[0] ?? noEvent())
  }),
  probe('names.headerPrefix', ['testEvent'], ({ testEvent: { headers } }) => {
    // Names of headers arrive in lower case, and are written like this.
    const name = Object.keys(headers).find((header) => header.endsWith('-signature')) ?? noEvent()
    return name
      .slice(0, -'-signature'.length)
      .replace(/(^|-)[a-z]/g, (first) => first.toUpperCase())
  }),
  probe('users.create.event', ['testEvent', 'createEvent'], ({ createEvent }) =>
    createEvent === undefined ? 'none' : 'sent',
  ),
]

function noEvent(): never {
  throw new NotMeasured('no event came that says it')
}
