import type { Sandbox } from '../client/client.ts'
import { type ComparedCall, nameCall } from './compared-calls.ts'
import { SettingSearch } from './setting-search.ts'
import { compareShapes, type Shape, type ShapeDifference, shapeOf } from './shape.ts'
import { type NotCompared, type ReadCode, Side, type SideOptions } from './side.ts'

export interface ProviderDifference extends ShapeDifference {
  /** The call, such as `GET /v2/quotes with no key`. */
  call: string
  /** The setting with which the sandbox responds as the provider does, as `--set` takes it. */
  set?: string | undefined
}

export interface Comparison {
  /** Calls to which both sides responded. */
  compared: number
  differences: ProviderDifference[]
  notCompared: NotCompared[]
  /** Why nothing follows from the calls; null where something does. */
  problem: string | null
}

/**
 * Compares what a provider and a sandbox respond to calls that change nothing. The sandbox has no
 * orders; the user of the provider is verified in it.
 */
export async function compareProvider(
  provider: Omit<SideOptions, 'fetch'>,
  sandbox: Sandbox,
): Promise<Comparison> {
  const theirs = new Side({ ...provider, fetch })
  await theirs.observe()
  const problem = findProblem(theirs, provider)
  if (problem !== null) return { compared: 0, differences: [], notCompared: [], problem }
  const { user } = provider
  const ours = new Side({
    url: sandbox.url,
    apiKey: sandbox.apiKey,
    fetch: sandbox.fetch,
    user: user && { ...user, readCode: inInbox(sandbox, user.email) },
  })
  await prepare(sandbox, theirs)
  await ours.observe()
  return await compareSides(theirs, ours, sandbox)
}

function findProblem({ responses, failed }: Side, { url }: { url: string }): string | null {
  const statuses = [...responses.values()].map(({ status }) => status)
  if (statuses.length === 0) return `${url} is not available: ${failed[0]?.why}.`
  if (statuses.every((status) => status < 300)) {
    return `${url} accepts every call, even without a key, so no difference would mean anything.`
  }
  const isAccepted = [...responses].some(
    ([{ key }, { status }]) => key === undefined && status < 300,
  )
  if (isAccepted) return null
  return `${url} rejected every call, so nothing was compared: check the key and the base URL.`
}

const inInbox =
  ({ inbox }: Sandbox, email: string): ReadCode =>
  async (send) => {
    await send()
    return await inbox.loginCode(email)
  }

/** Brings the sandbox into the state of the provider, as far as calls show it. */
async function prepare(sandbox: Sandbox, { known, hasWebhook }: Side): Promise<void> {
  const { email = '', txId } = known
  if (txId !== undefined) {
    const limit = await sandbox.settings.get('limits.minimum')
    // Some settings refuse every order; then there is none to compare.
    await sandbox.buy(email, { cad: Number(limit.value), settle: true }).catch(() => undefined)
  }
  if (!hasWebhook) return
  await sandbox.fetch('/v2/webhook-configurations', {
    method: 'PUT',
    headers: { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'https://example.com/hooks' }),
  })
}

async function compareSides(theirs: Side, ours: Side, sandbox: Sandbox): Promise<Comparison> {
  const shapes = new Map<ComparedCall, Shape>()
  const notCompared = [...theirs.failed]
  for (const [call, response] of theirs.responses) {
    if (ours.responses.has(call)) shapes.set(call, shapeOf(response))
    else notCompared.push({ call: nameCall(call), why: 'the sandbox never got that far' })
  }
  const search = new SettingSearch(shapes, ours, sandbox)
  const differences: ProviderDifference[] = []
  for (const [call, shape] of shapes) {
    const own = ours.responses.get(call)
    const found = own === undefined ? [] : compareShapes(shape, shapeOf(own))
    const sets = found.length === 0 ? [] : await search.find(call, found)
    const named = found.map((each, at) => ({ call: nameCall(call), ...each, set: sets[at] }))
    differences.push(...named)
  }
  return { compared: shapes.size, differences, notCompared, problem: null }
}
