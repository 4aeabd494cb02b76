import type { SettingValue } from '../world/settings/setting.ts'
import {
  type CallOptions,
  errorFields,
  formatError,
  isOk,
  notMeasured,
  type Reading,
  type Shown,
} from './reading.ts'
import type { CreatedUser, Run } from './run.ts'

/** One or more calls, made once, and the settings that their result shows. */
export interface Step {
  run(run: Run): Promise<unknown>
  tells: Tells<unknown>
}

/** Reads settings from a result; throws `NotMeasured` or `CannotImitate` where nothing shows an option. */
export type Tells<Result> = Readonly<
  Record<string, (result: Result, seen: SeenStep, run: Run) => SettingValue | Shown>
>

export type SeenStep = (step: string) => Reading

export const step = <Result>(
  run: (run: Run) => Promise<Result>,
  tells: Tells<Result> = {},
): Step => ({ run: async (one) => await run(one), tells: tells as Tells<unknown> })

/** One call: what it sends, about whom, and what for. */
export interface CallRow extends CallOptions {
  /** Subject of the path: the verified user, or the user or transaction that the run created. */
  of?: keyof typeof PATHS
  /** Sends the user's access token. */
  byUser?: true
  /** Error that the call provokes. */
  meets?: string
  /** Step that succeeds without the mistake. Default: `list` with a token, else `quote`. */
  unlike?: string
  /** Step with the same call without the mistake, which may fail, too, but with another error. */
  twin?: string
  /** True if the error counts only where another call of the operation succeeded. */
  needsSuccess?: true
  /** Options that are known only when the call is made. */
  make?(run: Run): CallOptions
  tells?: Tells<Reading>
}

export function call(route: string, row: CallRow = {}): Step {
  const { of, byUser, meets, make, tells, needsSuccess, twin, ...rest } = row
  const { unlike = byUser ? 'list' : 'quote', ...options } = rest
  const send = (run: Run) =>
    run.send(route, {
      ...options,
      ...(meets !== undefined && { isRepeatable: true }),
      ...(of && { path: PATHS[of](run) }),
      ...(byUser && { token: tokenOf(run) }),
      ...make?.(run),
    })
  const control: Control = (reading, seen, run) => {
    if (needsSuccess) run.assertSucceeded(route)
    if (twin !== undefined) assertOther(reading, seen(twin))
  }
  return step(send, { ...tells, ...(meets !== undefined && statusOf(meets, unlike, control)) })
}

/** The status of an error and the fields that it names. */
export const whereOf = (error: Reading): string => [error.status, ...errorFields(error)].join()

/** Throws if an error may have another cause than the mistake that was made. */
type Control = (reading: Reading, seen: SeenStep, run: Run) => void

/** Throws if a call gets the same error as the call without its mistake. */
export function assertOther(mistaken: Reading, without: Reading) {
  if (without.status >= 300 && whereOf(without) === whereOf(mistaken)) {
    notMeasured(`the same call without a mistake gets ${without.status} as well`)
  }
}

/** Finds the status of an error; `unlike` must succeed, or the error has another cause. */
export function statusOf(error: string, unlike: string, control?: Control): Tells<Reading> {
  const isOfCredentials = /key|token|login|code$|verified/.test(error)
  return {
    [`status.${error}`](reading, seen, run) {
      const { status } = reading
      control?.(reading, seen, run)
      if (seen(unlike).status >= 300) {
        return notMeasured('the same call without a mistake did not succeed')
      }
      if (!isOfCredentials) assertLetIn(status)
      return status < 300 ? 200 : status
    },
  }
}

/** A 401 says nothing about any other mistake in a call. */
export function assertLetIn(status: number) {
  if (status === 401) notMeasured('the response is 401, so other credentials are missing')
}

export const PATHS = {
  user(run: Run) {
    userOf(run)
    const { userId } = run.known
    if (userId !== undefined) return { userId }
    const why = 'the provider does not find the user of --user'
    return run.missing('findUser', why, { isFailure: true })
  },
  created: (run: Run) => ({ userId: createdOf(run).id }),
  transaction: (run: Run) => ({
    txId:
      run.known.ordered?.created?.data?.id ??
      run.missing('order', 'no transaction could be created'),
  }),
}

export const userOf = ({ options }: Run): string => options.user ?? notMeasured('it needs --user')

export function tokenOf(run: Run): string {
  if (run.known.token !== undefined) return run.known.token
  const login = run.results.get('login') as Reading | undefined
  const isIn = run.known.code !== undefined && login !== undefined && isOk(login)
  const needed = 'nobody is logged in (it needs --user and --code-from)'
  return run.missing('login', isIn ? 'the response to the login has no accessToken' : needed)
}

export function createdOf(run: Run): CreatedUser {
  if (run.known.created !== undefined) return run.known.created
  const error = run.readings.findLast(({ step, status }) => step === 'create' && status >= 300)
  const why = error === undefined ? ' (it needs --new-users)' : `: ${formatError(error)}`
  return run.missing('create', `no user was created${why}`)
}
