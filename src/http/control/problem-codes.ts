import { ERROR_CODES, ERRORS } from '../../world/settings/errors.ts'

/** The status of each code of a problem, and what it means. The codes are public and stay. */
export const PROBLEM_CODES = {
  invalid: [400, 'What was sent has the wrong form or value; `errors` names each field.'],
  'not-found': [404, 'There is no such thing, or no such path.'],
  conflict: [
    409,
    'It cannot be done as things are now; with status 500 it is a bug of the sandbox.',
  ],
  'control-off': [404, 'The control API is switched off (`--no-control`).'],
  'control-token': [401, 'The control token is missing or wrong.'],
  'host-not-allowed': [
    403,
    'The host in the URL is neither loopback nor allowed with `--allow-host`.',
  ],
  'cross-site': [403, 'A page of another site sent the call.'],
  'world-name': [400, 'The world in `/w/{name}` is not named as worlds are.'],
  'no-world': [404, 'There is no such world, and this call may not make it.'],
  'private-world': [
    403,
    'The URL of a private world reaches that world alone; send the control token.',
  ],
  'too-many-forks': [409, 'The limit of forks of one private world is reached; delete one.'],
  'world-full': [507, 'The world has as many rows as it may (`--world-rows`); reset it.'],
  'memory-full': [507, 'The process has no memory for more; delete or reset worlds.'],
  'too-many-worlds': [409, 'As many worlds live as may; delete one.'],
  'too-many-snapshots': [
    409,
    'As many snapshots are kept as may, in number or in bytes; delete one.',
  ],
  'state-busy': [409, 'Another long state is being read or written; try again.'],
  'state-too-long': [409, 'The state is too long for one document; move the data file.'],
  'too-many-faults': [409, 'As many faults are kept as may; delete some.'],
  'too-many-tasks': [400, 'As many identity checks are scheduled as may; advance the clock.'],
  'too-many-waiters': [429, 'As many calls wait in this world as may; end some.'],
  'too-many-plays': [409, 'As many scenarios play as may; try again when one has ended.'],
  'illegal-transition': [
    409,
    'The transaction cannot go there; `from` and `allowed` say from where to where.',
  ],
  'clock-busy': [409, 'The clock is being advanced by another call.'],
  'not-forward': [400, 'Time only moves forward.'],
  'nothing-due': [409, 'Nothing is scheduled, so there is no next instant.'],
  'too-far': [400, 'The clock ends with the year 9999.'],
  reset: [409, 'The world was replaced while the call was under way.'],
  chain: [409, 'No chain is behind the sandbox, or its node failed; the text says why.'],
  'cursor-ahead': [400, 'The cursor is not one of this world, which may have been reset.'],
  'format-version': [400, 'The state was exported by another version of the sandbox.'],
  'no-socket': [
    409,
    'The sandbox does not listen, or by https alone, so a scenario cannot reach it.',
  ],
  'data-file': [507, 'The data file cannot be written, so the change is not certain to last.'],
} as const

export const isProblemCode = (code: string): code is keyof typeof PROBLEM_CODES =>
  Object.hasOwn(PROBLEM_CODES, code)

/** Calls that act for a user fail with the errors of the contract as well. */
export const PROBLEM_CODE_NAMES = [...Object.keys(PROBLEM_CODES), ...ERROR_CODES]

/** One line for each code, as Markdown. */
export const describeProblemCodes = (): string =>
  [
    ...Object.entries(PROBLEM_CODES).map(([code, [, means]]) => [code, means]),
    ...ERROR_CODES.map((code) => [code, ERRORS[code].says]),
  ]
    .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
    .join('\n')
