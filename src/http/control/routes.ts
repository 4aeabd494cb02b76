/**
 * Every lever by its name in the library: method, path below `/_sandbox`, the fields of the body that
 * are arguments of their own, and behind `>` the field of the response that is the result, behind `>>`
 * the field of a page that a client reads to the end. It is all that a client needs at run time; the
 * rest of a row is beside its handler.
 */
export const ROUTES = {
  info: 'GET /info',
  health: 'GET /health',
  reset: 'POST /reset',
  buy: 'POST /simulate/users/:user/buy',
  sell: 'POST /simulate/users/:user/sell',
  clock: {
    read: 'GET /clock',
    advance: 'POST /clock/advance',
    freeze: 'POST /clock/freeze at?',
    resume: 'POST /clock/resume',
  },
  simulate: {
    kyc: 'POST /simulate/users/:user/kyc status',
    access: 'POST /simulate/users/:user/access accessibleBy',
    account: 'POST /simulate/users/:user/account',
    shareToken: 'POST /simulate/share-tokens email kind? > shareToken',
    fundsReceived: 'POST /simulate/transactions/:id/funds-received',
    settled: 'POST /simulate/transactions/:id/settled',
    bankRefused: 'POST /simulate/transactions/:id/bank-refused',
    expired: 'POST /simulate/transactions/:id/expired',
    cancelled: 'POST /simulate/transactions/:id/cancelled',
    status: 'POST /simulate/transactions/:id/status status',
  },
  users: {
    add: 'POST /users email',
    list: 'GET /users >> items',
    get: 'GET /users/:user',
  },
  transactions: { list: 'GET /transactions >> items', get: 'GET /transactions/:id' },
  kybSubmissions: { list: 'GET /kyb-submissions >> items' },
  requests: { list: 'GET /requests >> requests', get: 'GET /requests/:id' },
  actions: { list: 'GET /actions >> actions', get: 'GET /actions/:id' },
  inbox: { read: 'GET /inbox' },
  events: { read: 'GET /events' },
  webhooks: {
    settings: 'GET /webhooks/settings',
    set: 'PUT /webhooks/settings url?',
    test: 'POST /webhooks/test',
    drain: 'POST /webhooks/drain',
    deliveries: 'GET /webhooks/deliveries >> deliveries',
    delivery: 'GET /webhooks/deliveries/:id',
    resend: 'POST /webhooks/deliveries/:id/resend',
    explain: 'POST /webhooks/explain',
  },
  catches: {
    respond: 'POST /catch/:name/respond',
    requests: 'GET /catch/:name/requests',
    clear: 'DELETE /catch/:name/requests',
  },
  faults: {
    list: 'GET /faults > items',
    add: 'POST /faults',
    delete: 'DELETE /faults/:id',
    clear: 'DELETE /faults',
  },
  rates: { get: 'GET /rates', set: 'PUT /rates' },
  settings: { get: 'GET /settings', set: 'PATCH /settings' },
  assumptions: { list: 'GET /assumptions > items', get: 'GET /assumptions/:id' },
  snapshots: {
    list: 'GET /snapshots > items',
    take: 'POST /snapshots name',
    restore: 'POST /snapshots/:name/restore',
    delete: 'DELETE /snapshots/:name',
  },
  state: { export: 'GET /state', import: 'PUT /state' },
  chain: {
    networks: 'GET /chain > networks',
    balances: 'GET /chain/balances/:address > balances',
    scan: 'POST /chain/scan',
    send: 'POST /chain/send',
  },
  worlds: {
    list: 'GET /worlds > items',
    create: 'POST /worlds',
    delete: 'DELETE /worlds/:name',
  },
  scenarios: { list: 'GET /scenarios > items', play: 'POST /scenarios/:name/play' },
} as const

export type LeverRoutes = typeof ROUTES

/** The name of a lever in the library, such as `clock.advance`. */
export type LeverName = {
  [Group in keyof LeverRoutes]: LeverRoutes[Group] extends string
    ? Group
    : `${Group}.${keyof LeverRoutes[Group] & string}`
}[keyof LeverRoutes]

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/_sandbox`, with `:name` for what is in it. */
  path: string
  /** Fields of the body that are arguments of their own. */
  fields: readonly string[]
  /** The field of the response that is the result; without one, all of it. */
  result: string | undefined
  /** Whether the response is a page, with a cursor to go on from. */
  isPaged: boolean
}

export function readRoute(text: string): Route {
  const [call = '', result] = text.split(/ >>? /)
  const [method, path = '', ...fields] = call.split(' ')
  const names = fields.map((field) => field.replace('?', ''))
  return {
    method: method as Route['method'],
    path,
    fields: names,
    result,
    isPaged: text.includes(' >> '),
  }
}

export function findRoute(name: LeverName): Route {
  const [group = '', own = ''] = name.split('.')
  const found = ROUTES[group as keyof LeverRoutes] as string | Record<string, string>
  return readRoute(typeof found === 'string' ? found : (found[own] ?? ''))
}
