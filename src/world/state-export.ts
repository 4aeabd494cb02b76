import type { State } from './state.ts'
import type { World } from './world.ts'

/** The whole world as one JSON document; `new World` of it goes on where this one stands. */
export function exportState(world: World): State {
  return {
    formatVersion: 1,
    ...exportScalars(world),
    integrators: world.integrators,
    users: world.users,
    loginCodes: [...world.loginCodes.values()],
    sessions: [...world.sessions.values()],
    kycLinks: [...world.kycLinks.values()],
    quotes: [...world.quotes.values()],
    transactions: world.transactions,
    kybSubmissions: world.kybSubmissions,
    events: world.events.after(0),
    messages: world.messages.after(0),
    tasks: world.tasks.all(),
  }
}

/** All of a world that is no list. */
export function exportScalars(world: World) {
  return {
    seed: world.seed,
    fixture: world.fixture,
    now: world.now,
    mode: world.mode,
    settings: world.changedSettings,
    ...(world.brand && { brand: world.brand }),
    rates: world.rates,
    nextQuoteId: world.nextQuoteId,
    eventCount: world.events.last,
    messageCount: world.messages.last,
    taskCount: world.taskCount,
    ...(world.custody && { custody: world.custody }),
  }
}

/** A state of its own: nothing in it is shared with the world it came from. */
export const copyState = (state: State): State => JSON.parse(JSON.stringify(state))
