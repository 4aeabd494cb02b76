import type { OperationNotes } from '../notes.ts'

/** The world as a whole: what it is, its clock, its state and its settings. */
export const worldNotes: OperationNotes = {
  getHealth: {
    about: `Answers as soon as the sandbox can be used. It changes nothing, so poll it while starting; a world
that was not used before is made by this call. Without the control token, where there is one, it says no more than
\`status\` and \`version\`: that is enough for the probe of a container.`,
    success: 'The sandbox answers.',
  },
  getInfo: {
    about: `Says what this world is: its URLs, API keys, seed, fixture, time, how much it holds and what the names
are that the contract leaves open. Start here to configure a client.`,
    success: 'What this world is.',
  },
  reset: {
    about: `Replaces the world by the state after the start, with another fixture, seed or clock if you send one. What happened
before is gone, faults and journals included; snapshots stay. Streams get a
\`reset\`, and cursors begin again.`,
    success: 'The world after the reset.',
  },
  getClock: {
    about: `Reads world time, whether it is frozen, and what is scheduled: expiry, automatic settlement, delayed
identity checks. It moves nothing.`,
    success: 'The clock.',
  },
  advanceClock: {
    about: `Moves world time forward by a length, to an instant or to the next scheduled instant, and runs
everything that is scheduled on the way. It answers once the webhooks of it are delivered. Send
exactly one of \`by\`, \`to\` and \`toNext\`.`,
    success: 'What ran, with the events and deliveries that followed.',
  },
  freezeClock: {
    about: `Stops world time, so that it moves only by a call. With \`at\` it first advances to that instant and
runs what is scheduled on the way.`,
    success: 'The clock, frozen.',
  },
  resumeClock: {
    about: `Lets world time go on with the wall clock, from where it stands. What is scheduled then runs by
itself.`,
    success: 'The clock, running.',
  },
  listSnapshots: {
    about: `Lists the snapshots of this world. They are kept in memory, across resets, until
the process ends.`,
    success: 'The snapshots.',
  },
  takeSnapshot: {
    about: `Copies the world under a name: state, clock, scheduled tasks and deliveries still to be made. A
snapshot with the same name is replaced. \`restoreSnapshot\` goes back to it as often as you like.`,
    success: 'The snapshot was taken.',
  },
  restoreSnapshot: {
    about: `Replaces the world by a snapshot that \`takeSnapshot\` made. Deliveries that were still to be made
then are made now; faults stay. Streams get a \`reset\`.`,
    success: 'The world is as it was.',
  },
  deleteSnapshot: {
    about: `Removes a snapshot and frees its memory. The world itself does not change.`,
    success: 'The snapshot is gone.',
  },
  exportState: {
    about: `Reads the whole world as one JSON document, secrets included. Send it to \`importState\`, of this or
another world, to go on from there.`,
    success: 'The world as a document.',
  },
  importState: {
    about: `Replaces the world by a document that \`exportState\` made. It is checked whole before anything
changes. Streams get a \`reset\`.`,
    success: 'The world after the import.',
  },
  getRates: {
    about: `Reads what each coin costs now. New quotes use these rates.`,
    success: 'The rates, in CAD per coin.',
  },
  putRates: {
    about: `Sets what a coin costs, for quotes and limits from now on. A coin that is not sent keeps its rate,
and a quote keeps the rate that it locked.`,
    success: 'The rates as they are now.',
  },
  getSettings: {
    about: `Reads every setting with its value in this world. \`listAssumptions\` says what each one means and
which values it can have.`,
    success: 'The settings, by id.',
  },
  patchSettings: {
    about: `Changes settings, all that are sent or none; null is the value of the preset, and \`preset\` changes
that for all others. Calls from now on follow them, and so does the OpenAPI document of the contract.
What is scheduled already stays.`,
    success: 'The settings as they are now.',
  },
  listAssumptions: {
    about: `Lists what the contract states or leaves open, with the value that this world takes, the values there
are and the reason for the default. \`patchSettings\` changes the value.`,
    success: 'Every setting, explained.',
  },
  getAssumption: {
    about: `Reads one row of \`listAssumptions\`. The OpenAPI document of the contract links here from the
operations that depend on it.`,
    success: 'The setting, explained.',
  },
  listWorlds: {
    about: `Lists the worlds of this process. A world is made by the first call below \`/w/{name}\` that has
credentials: a control call, or one with an API key. Private worlds are made by \`createWorld\`.`,
    success: 'The worlds.',
  },
  deleteWorld: {
    about: `Ends a world with all that it holds, its snapshots included. The next control call to its base URL
makes a new one, unless it was private. The world \`default\` cannot be deleted.`,
    success: 'The world has ended.',
  },
  createWorld: {
    about: `Makes a private world and answers with its base URL, which nobody can guess: its name has 128 random bits.
Whoever has the URL may use the world with its control API, and nothing that concerns the process or another world. KYC
links and access tokens show the name, too. A world that gets no call for \`ttl\` ends, and does not come back.

With \`from\` it is a fork: it goes on where this world, or a snapshot of it, stands, with the same ids, secrets and
clock, and what was still to be delivered. Nothing is shared. Faults, journals and snapshots are not copied, and access
tokens name their world, so users log in again. With the control token \`from.world\` names another world. Without it,
as the holder of the URL of a private world, a call can make up to 20 forks of that world, which end with it.`,
    success: 'The world is made.',
  },
  listScenarios: {
    about: `Lists the scenarios that come with the sandbox. \`playScenario\` plays one.`,
    success: 'The scenarios.',
  },
  playScenario: {
    about: `Plays a scenario in a new world of its own and answers when it has ended, whether it passed or not.
With \`Accept: text/event-stream\` the steps are sent as they are played. This world does not change.`,
    success: 'The transcript; `outcome` says whether it passed.',
  },
  getContractDocument: {
    about: `Makes the OpenAPI document of the contract under the settings of this world. It needs no key and no
token.`,
    success: 'The document.',
  },
  getControlDocument: {
    about: `Makes the OpenAPI document that you are reading. It is the same in every world but for its URL.`,
    success: 'The document.',
  },
  signIn: {
    about: `Keeps the control token of the header \`Authorization\` in a cookie, so that the dashboard need not
ask for it again. Without a control token it does nothing.`,
    success: 'The cookie is set, where a token was sent.',
  },
}
