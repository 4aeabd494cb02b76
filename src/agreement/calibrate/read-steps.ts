import { NotMeasured } from './not-measured.ts'
import { call, type Step, step } from './probe.ts'
import type { Reading } from './provider.ts'
import { findLeast, isAccepted, isOk, numberIn } from './reading.ts'

const QUOTES = 'GET /v2/quotes'
const buy = (rightSideLabel: string, leftSideValue: number | string) => ({
  query: { leftSideLabel: 'CAD', leftSideValue, rightSideLabel },
})
/** A quote of any size is asked for nothing; a large one shows shares with all their decimals. */
export const LARGE_CAD = 10_000_000
export const NORMAL_CAD = 1_000

/** An address that no one has: the domain is reserved for examples. */
const NOBODY = 'nobody-of-calibrate@example.com'

/** What the reads of one user need to know. */
const findUser = step('read', ['user'], async ({ user, known, send }) => {
  const found = await send('GET /v2/users', { query: { email: user } })
  const first = Array.isArray(found.data) ? found.data[0] : undefined
  if (typeof first?.id === 'string') known.userId = first.id
  if (Array.isArray(first?.accessibleBy)) known.accessibleBy = first.accessibleBy
  return found
})

/** One page under each limit that was tried, to find the largest that is accepted. */
export interface PageBound {
  maximum: number | undefined
  above: Reading
}

const LIST = 'GET /v2/transactions'
const LIMIT_MAX = 1_000
const LIMIT_EXPECTED = 100

export const READ_STEPS = {
  invalidQuote: call('read', QUOTES, buy('USDC-ETH', 'abc')),
  quote: call('read', QUOTES, buy('USDC-ETH', NORMAL_CAD)),
  quoteLarge: call('read', QUOTES, buy('USDC-ETH', LARGE_CAD)),
  quoteBare: call('read', QUOTES, buy('USDC', NORMAL_CAD)),
  quoteBase: call('read', QUOTES, buy('USDC-BASE', NORMAL_CAD)),
  quoteSolana: call('read', QUOTES, buy('USDC-SOL', NORMAL_CAD)),
  quoteDecimals: call('read', QUOTES, buy('USDC-ETH', '100.005')),
  limits: call('read', 'GET /v2/limits'),
  webhooks: call('read', 'GET /v2/webhook-configurations'),
  priceQuote: call('read', 'GET /priceQuote', { key: 'none', ...buy('USDC', 100) }),
  v1Nobody: call('read', 'GET /apiFindUser', { query: { email: NOBODY } }),
  findUser,
  v1User: step('read', ['user'], ({ user, send }) =>
    send('GET /apiFindUser', { query: { email: user } }),
  ),
  requirements: step('read', ['user'], (context) =>
    context.send('GET /v2/users/:userId/requirements', { path: { userId: userIdOf(context) } }),
  ),
  keyAccess: step('read', ['user'], (context) =>
    context.send(LIST, { query: { userId: userIdOf(context) } }),
  ),
}

/** Reads with the token of the user, made once there is one. */
export const TOKEN_STEPS = {
  limitsOfUser: withToken('GET /v2/limits'),
  list: withToken(LIST),
  requirementsOfUser: step('read', ['user', 'token'], (context) => {
    const [path, token] = [{ userId: userIdOf(context) }, tokenOf(context)]
    return context.send('GET /v2/users/:userId/requirements', { path, token })
  }),
  listOffset: withToken(LIST, { offset: 1.5 }),
  listMaximum: step('read', ['token'], async (context): Promise<PageBound> => {
    const token = tokenOf(context)
    const ask = (limit: number) => context.send(LIST, { token, query: { limit } })
    const above = await ask(LIMIT_MAX * 100)
    if (isOk(above)) return { maximum: numberIn(above.data?.limit, 'limit'), above }
    const bounds = { least: 1, most: LIMIT_MAX, expected: LIMIT_EXPECTED + 1 }
    const rejected = await findLeast(bounds, async (limit) => !isAccepted(await ask(limit)))
    return { maximum: rejected === undefined ? LIMIT_MAX : rejected - 1, above }
  }),
}

function withToken(route: string, query: Record<string, number> = {}): Step<Reading> {
  return step('read', ['token'], (context) =>
    context.send(route, { token: tokenOf(context), query }),
  )
}

interface Knows {
  known: { userId?: string; token?: string }
}

function userIdOf({ known }: Knows): string {
  if (known.userId !== undefined) return known.userId
  throw new NotMeasured('the provider does not find the user of --user')
}

export function tokenOf({ known }: Knows): string {
  if (known.token !== undefined) return known.token
  throw new NotMeasured('there is no access token')
}
