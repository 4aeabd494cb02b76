/** What each code of a problem means. The codes are public and stay. */
export const PROBLEM_CODES = {
  invalid: 'What was sent has the wrong form or value; `errors` names each field.',
  'not-found': 'There is no such thing, or no such path.',
  conflict: 'It cannot be done as things are now; with status 500 it is a bug of the sandbox.',
  forbidden: 'The user is not verified, so it cannot trade.',
  'limit-minimum': 'The transaction is worth less than one may be.',
  'limit-maximum': 'The transaction is worth more than one may be.',
  'limit-active': 'The user has as many active transactions as may be at once.',
  'limit-cancelled': 'As many transactions of the user were cancelled or expired as may be.',
  'method-not-allowed': 'The path takes other methods; the header `Allow` names them.',
  'body-too-large': 'The body is longer than this operation takes.',
  'unsupported-media-type': 'A call that changes something needs `Content-Type: application/json`.',
  'control-off': 'The control API is switched off (`--no-control`).',
  'control-token': 'The control token is missing or wrong.',
  'host-not-allowed': 'The host in the URL is neither loopback nor allowed with `--allow-host`.',
  'cross-site': 'A page of another site sent the call.',
  'world-name': 'The world in `/w/{name}` is not named as worlds are.',
  'no-world': 'There is no such world, and this call may not make it.',
  'private-world': 'The URL of a private world reaches that world alone; send the control token.',
  'too-many-forks': 'The limit of forks of one private world is reached; delete one.',
  'world-full': 'The world has as many rows as it may (`--world-rows`); reset it.',
  'memory-full': 'The process has no memory for more; delete or reset worlds.',
  'too-many-worlds': 'As many worlds live as may; delete one.',
  'too-many-snapshots': 'As many snapshots are kept as may, in number or in bytes; delete one.',
  'state-busy': 'Another long state is being read or written; try again.',
  'state-too-long': 'The state is too long for one document; move the data file.',
  'too-many-faults': 'As many faults are kept as may; delete some.',
  'too-many-tasks': 'As many identity checks are scheduled as may; advance the clock.',
  'too-many-waiters': 'As many calls wait in this world as may; end some.',
  'too-many-plays': 'As many scenarios play as may; try again when one has ended.',
  'illegal-transition':
    'The transaction cannot go there; `from` and `allowed` say from where to where.',
  'clock-busy': 'The clock is being advanced by another call.',
  'not-forward': 'Time only moves forward.',
  'nothing-due': 'Nothing is scheduled, so there is no next instant.',
  'too-far': 'The clock ends with the year 9999.',
  reset: 'The world was replaced while its clock was advancing.',
  chain: 'No chain is behind the sandbox, or its node failed; the text says why.',
  'cursor-ahead': 'The cursor is not one of this world, which may have been reset.',
  'format-version': 'The state was exported by another version of the sandbox.',
  'no-socket': 'The sandbox does not listen, or by https alone, so a scenario cannot reach it.',
  'data-file': 'The data file cannot be written, so the change is not certain to last.',
} as const

/** One line for each code, as Markdown. */
export const describeProblemCodes = (): string =>
  Object.entries(PROBLEM_CODES)
    .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
    .join('\n')
