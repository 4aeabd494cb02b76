/** Method, path and arguments of a control operation: all that a client needs at run time. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below `/_sandbox`, with a `:name` for each of `params`. */
  readonly path: string
  /** Names in the path, in its order. */
  readonly params?: readonly string[]
  /** Fields of the query or body that are arguments of their own, before an object of the others. */
  readonly args?: readonly string[]
  /** The field of the response that the client returns; all of it by default. */
  readonly result?: string
  /** Set if the response is a page: the client then reads all pages. */
  readonly isPaged?: true
}

/** Every control operation by its name in the library. The rest of a row is in the file of its topic. */
export const ROUTES = {
  info: { method: 'GET', path: '/info' },
  health: { method: 'GET', path: '/health' },
  reset: { method: 'POST', path: '/reset' },
  buy: { method: 'POST', path: '/simulate/users/:user/buy', params: ['user'] },
  sell: { method: 'POST', path: '/simulate/users/:user/sell', params: ['user'] },
  clock: {
    read: { method: 'GET', path: '/clock' },
    advance: { method: 'POST', path: '/clock/advance' },
    freeze: { method: 'POST', path: '/clock/freeze', args: ['at'] },
    resume: { method: 'POST', path: '/clock/resume' },
  },
  simulate: {
    kyc: { method: 'POST', path: '/simulate/users/:user/kyc', params: ['user'], args: ['status'] },
    access: {
      method: 'POST',
      path: '/simulate/users/:user/access',
      params: ['user'],
      args: ['accessibleBy'],
    },
    account: { method: 'POST', path: '/simulate/users/:user/account', params: ['user'] },
    shareToken: {
      method: 'POST',
      path: '/simulate/share-tokens',
      args: ['email', 'kind'],
      result: 'shareToken',
    },
    fundsReceived: {
      method: 'POST',
      path: '/simulate/transactions/:id/funds-received',
      params: ['id'],
    },
    settled: { method: 'POST', path: '/simulate/transactions/:id/settled', params: ['id'] },
    bankRefused: {
      method: 'POST',
      path: '/simulate/transactions/:id/bank-refused',
      params: ['id'],
    },
    expired: { method: 'POST', path: '/simulate/transactions/:id/expired', params: ['id'] },
    cancelled: { method: 'POST', path: '/simulate/transactions/:id/cancelled', params: ['id'] },
    status: {
      method: 'POST',
      path: '/simulate/transactions/:id/status',
      params: ['id'],
      args: ['status'],
    },
  },
  users: {
    add: { method: 'POST', path: '/users', args: ['email'] },
    list: { method: 'GET', path: '/users', result: 'items', isPaged: true },
    get: { method: 'GET', path: '/users/:user', params: ['user'] },
    token: {
      method: 'POST',
      path: '/users/:user/token',
      params: ['user'],
      result: 'accessToken',
    },
  },
  transactions: {
    list: { method: 'GET', path: '/transactions', result: 'items', isPaged: true },
    get: { method: 'GET', path: '/transactions/:id', params: ['id'] },
  },
  kybSubmissions: {
    list: { method: 'GET', path: '/kyb-submissions', result: 'items', isPaged: true },
  },
  explain: { method: 'GET', path: '/explain/:id', params: ['id'] },
  requests: {
    list: { method: 'GET', path: '/requests', result: 'requests', isPaged: true },
    get: { method: 'GET', path: '/requests/:id', params: ['id'] },
  },
  actions: {
    list: { method: 'GET', path: '/actions', result: 'actions', isPaged: true },
    get: { method: 'GET', path: '/actions/:id', params: ['id'] },
  },
  inbox: { read: { method: 'GET', path: '/inbox' } },
  events: { read: { method: 'GET', path: '/events' } },
  webhooks: {
    settings: { method: 'GET', path: '/webhooks/settings' },
    set: { method: 'PUT', path: '/webhooks/settings', args: ['url'] },
    test: { method: 'POST', path: '/webhooks/test' },
    drain: { method: 'POST', path: '/webhooks/drain' },
    deliveries: {
      method: 'GET',
      path: '/webhooks/deliveries',
      result: 'deliveries',
      isPaged: true,
    },
    delivery: { method: 'GET', path: '/webhooks/deliveries/:id', params: ['id'] },
    resend: { method: 'POST', path: '/webhooks/deliveries/:id/resend', params: ['id'] },
    explain: { method: 'POST', path: '/webhooks/explain' },
  },
  catches: {
    respond: { method: 'POST', path: '/catch/:name/respond', params: ['name'] },
    requests: { method: 'GET', path: '/catch/:name/requests', params: ['name'] },
    clear: { method: 'DELETE', path: '/catch/:name/requests', params: ['name'] },
  },
  faults: {
    list: { method: 'GET', path: '/faults', result: 'items' },
    add: { method: 'POST', path: '/faults' },
    delete: { method: 'DELETE', path: '/faults/:id', params: ['id'] },
    clear: { method: 'DELETE', path: '/faults' },
  },
  rates: { get: { method: 'GET', path: '/rates' }, set: { method: 'PUT', path: '/rates' } },
  settings: {
    list: { method: 'GET', path: '/settings', result: 'items' },
    get: { method: 'GET', path: '/settings/:id', params: ['id'] },
    set: { method: 'PATCH', path: '/settings', result: 'items' },
  },
  snapshots: {
    list: { method: 'GET', path: '/snapshots', result: 'items' },
    take: { method: 'POST', path: '/snapshots', args: ['name'] },
    restore: { method: 'POST', path: '/snapshots/:name/restore', params: ['name'] },
    delete: { method: 'DELETE', path: '/snapshots/:name', params: ['name'] },
  },
  state: { export: { method: 'GET', path: '/state' }, import: { method: 'PUT', path: '/state' } },
  coverage: { method: 'GET', path: '/coverage' },
  worlds: {
    list: { method: 'GET', path: '/worlds', result: 'items' },
    create: { method: 'POST', path: '/worlds' },
    delete: { method: 'DELETE', path: '/worlds/:name', params: ['name'] },
  },
  scenarios: {
    list: { method: 'GET', path: '/scenarios', result: 'items' },
    play: { method: 'POST', path: '/scenarios/:name/play', params: ['name'] },
  },
} as const satisfies Record<string, Route | Record<string, Route>>

type Routes = typeof ROUTES

/** Name of a control operation in the library, such as `clock.advance`. */
export type ControlOperationName = {
  [Group in keyof Routes]: Routes[Group] extends Route
    ? Group
    : `${Group}.${keyof Routes[Group] & string}`
}[keyof Routes]

const BY_NAME = new Map<string, Route>(
  Object.entries<Route | Record<string, Route>>(ROUTES).flatMap(
    ([group, routes]): [string, Route][] =>
      isRoute(routes)
        ? [[group, routes]]
        : Object.entries(routes).map(([name, route]) => [`${group}.${name}`, route]),
  ),
)

export function isRoute(routes: Route | Readonly<Record<string, Route>>): routes is Route {
  return typeof routes.method === 'string'
}

export function getRoute(name: ControlOperationName): Route {
  const route = BY_NAME.get(name)
  if (route === undefined) throw new Error(`There is no control operation ${name}.`)
  return route
}
