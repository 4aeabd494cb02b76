import type { Model, ModelStart, ModelUser } from '../agreement/calibrate/calibrate.ts'
import type { CheckAnswer } from '../agreement/calibrate/drift.ts'
import { isOk } from '../agreement/calibrate/reading.ts'
import { toProfile } from '../agreement/profile.ts'
import type { Sandbox } from '../client/client.ts'
import type { FixtureDocument, FixtureUser } from '../fixture/format.ts'
import { createSandbox } from '../host/create-sandbox.ts'
import { OPERATIONS } from '../host/worlds.ts'
import { formatInstant } from '../world/duration.ts'
import { openEventReceiver } from './event-receiver.ts'

const [KEY, SECOND_KEY] = ['model-key', 'model-key-2']
/** Nobody's: what a model does must not reach the receiver of the provider's integrator. */
const NO_RECEIVER = 'https://webhooks.invalid/'

/** For a delivery or a message within this machine. */
const WAIT_MS = 300

/** A sandbox in this process that gets the same calls as the provider. */
export async function openModel(start: ModelStart): Promise<Model> {
  const { settings, user, webhookUrl, withToken, withReceiver, now } = start
  const acts = { actsWithoutToken: user?.accessibleBy.includes('apiKey') ?? false }
  const fixture: FixtureDocument = {
    integrators: [
      { name: 'first', apiKey: KEY, ...acts, ...(webhookUrl && { webhook: { url: NO_RECEIVER } }) },
      { name: 'second', apiKey: SECOND_KEY },
    ],
    users: user ? [toFixtureUser(user)] : [],
  }
  const clock = `running@${formatInstant(now)}`
  const sandbox = await createSandbox({ fixture, settings, clock, listen: false })
  const receiver = withReceiver ? await openEventReceiver({ waitMs: WAIT_MS }) : undefined
  return {
    url: sandbox.url,
    fetch: (url, init) => sandbox.fetch(url, init),
    apiKey: KEY,
    secondApiKey: SECOND_KEY,
    codes: async (email) => () =>
      sandbox.inbox.loginCode(email, { timeout: WAIT_MS }).catch(() => undefined),
    token: withToken && user ? await findToken(sandbox, user.email) : undefined,
    receiver,
    async close() {
      await receiver?.close()
      await sandbox.close()
    },
  }
}

/** None where the settings do not let the user log in. */
const findToken = (sandbox: Sandbox, email: string) =>
  sandbox.login(email).then(
    ({ token }) => token,
    () => undefined,
  )

function toFixtureUser({ email, accessibleBy, outstanding }: ModelUser): FixtureUser {
  const profile = toProfile(outstanding)
  const grants = accessibleBy.includes('apiKey')
  return { email, status: 'verified', profile, ...(grants && { accessibleBy: ['jwt', 'apiKey'] }) }
}

/** Values of a success that the contract does not name, such as another status. */
export const checkAnswer: CheckAnswer = (reading) => {
  const row = OPERATIONS.find(({ method, path }) => `${method} ${path}` === reading.route)
  if (!row?.answer || !isOk(reading)) return []
  const data = reading.data === reading.body ? [] : ['data']
  const issues = row.answer().safeParse(reading.data).error?.issues ?? []
  return issues.flatMap(({ code, path }) => {
    const names = [...data, ...path].filter((part) => typeof part !== 'number')
    if (code !== 'invalid_value') return []
    return [{ path: names.join('.'), what: 'a value that the contract does not name' }]
  })
}
