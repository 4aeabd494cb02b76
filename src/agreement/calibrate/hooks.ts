import type { ArrivedEvent, Context } from './context.ts'
import { NotMeasured } from './not-measured.ts'
import { probesOf, step } from './probe.ts'
import { assertOk, byStatus, errorStatusOf, isOk } from './reading.ts'
import { NEW_USER, type WRITE_STEPS } from './write.ts'

const CONFIGURATION = '/v2/webhook-configurations'
const LEGACY = '/webhooks'
/** Nobody listens there; an event that is sent meanwhile is lost, as it would be anywhere else. */
const LOOPBACK_URL = 'http://127.0.0.1:9/'

/** Remembers the configuration before the first change, and puts it back when the run ends. */
async function keepConfiguration(context: Context): Promise<void> {
  const { known, putBack, send } = context
  if (known.isConfigurationKept) return
  const read = await send(`GET ${CONFIGURATION}`)
  if (!isOk(read)) byStatus(read, { 404: 'none' })
  const url: unknown = isOk(read) ? read.data?.url : undefined
  known.isConfigurationKept = true
  putBack(`webhook configuration (${url === undefined ? 'none' : 'as it was'})`, async () => {
    const restored =
      typeof url === 'string'
        ? await send(`PUT ${CONFIGURATION}`, { body: { url } })
        : await send(`DELETE ${CONFIGURATION}`)
    if (!isOk(restored) && restored.status !== 404) throw new NotMeasured(`${restored.status}`)
  })
}

export const HOOK_STEPS = {
  putLoopback: step('write', [], async (context) => {
    await keepConfiguration(context)
    return await context.send(`PUT ${CONFIGURATION}`, { body: { url: LOOPBACK_URL } })
  }),
  readNone: step('write', [], async (context) => {
    await keepConfiguration(context)
    await context.send(`DELETE ${CONFIGURATION}`)
    return await context.send(`GET ${CONFIGURATION}`)
  }),
  legacyWithoutUrl: step('write', [], async ({ send, putBack }) => {
    const { data } = assertOk(await send(`GET ${LEGACY}`))
    const urls = Object.entries(data).filter(([name]) => name.endsWith('Url'))
    if (urls.some(([, url]) => url)) throw new NotMeasured('there are URLs for legacy webhooks')
    putBack('legacy webhooks (verifiedEmailEnabled as it was)', async () => {
      const { verifiedEmailEnabled } = data
      assertOk(await send(`PATCH ${LEGACY}`, { body: { verifiedEmailEnabled } }))
    })
    return await send(`PATCH ${LEGACY}`, { body: { verifiedEmailEnabled: true } })
  }),
  testEvent: step('write', ['receiver'], async (context): Promise<ArrivedEvent> => {
    const { receiver, send } = context
    await keepConfiguration(context)
    assertOk(await send(`PUT ${CONFIGURATION}`, { body: { url: receiver?.url } }))
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

const { probe, acceptanceProbe } = probesOf<typeof HOOK_STEPS & typeof WRITE_STEPS>()

export const HOOK_PROBES = [
  acceptanceProbe('webhooks.url', 'putLoopback', ['loopback-http', 'https-only']),
  probe('status.no-webhook-configuration', ['readNone'], ({ readNone }) => {
    if (!isOk(readNone) || readNone.data === null) return errorStatusOf(readNone)
    throw new NotMeasured('a configuration is still there after it was deleted')
  }),
  probe('status.webhook-without-url', ['legacyWithoutUrl'], ({ legacyWithoutUrl }) =>
    errorStatusOf(legacyWithoutUrl),
  ),
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
  probe('users.create.event', ['createEvent'], ({ createEvent }) =>
    createEvent === undefined ? 'none' : 'sent',
  ),
]

function noEvent(): never {
  throw new NotMeasured('no event came that says it')
}
