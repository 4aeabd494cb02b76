import type { Sandbox } from '../client/client.ts'
import { type SettingId, settingOf, settingsOn, strictValue } from '../world/settings/index.ts'
import type { SettingValue } from '../world/settings/setting.ts'
import { type ComparedCall, LOG_IN } from './compared-calls.ts'
import { compareShapes, type Shape, type ShapeDifference, shapeOf } from './shape.ts'
import type { Side } from './side.ts'

const UNKNOWN_PATH: SettingId = 'status.unknown-path'

const STATUS_WEIGHT = 100

interface Change {
  id: SettingId
  value: SettingValue
}

/** Tries settings on the sandbox until it responds as the provider does. */
export class SettingSearch {
  readonly #theirs: ReadonlyMap<ComparedCall, Shape>
  readonly #ours: Side
  readonly #sandbox: Sandbox
  /** Settings that explain differences so far; they are tried first. */
  readonly #chosen = new Set<string>()
  /** How much less differs with a setting. */
  readonly #gains = new Map<string, number>()

  constructor(theirs: ReadonlyMap<ComparedCall, Shape>, ours: Side, sandbox: Sandbox) {
    this.#theirs = theirs
    this.#ours = ours
    this.#sandbox = sandbox
  }

  /**
   * Finds a setting for each difference of a call, as `--set` takes it: of those that remove it, the
   * one with which the fewest differences are left in all calls.
   */
  async find(call: ComparedCall, found: readonly ShapeDifference[]) {
    const best = found.map(() => ({ set: undefined as string | undefined, gain: 0 }))
    const keys = found.map(toKey)
    for (const change of this.#listChanges(call, found)) {
      if (best.every(({ set }) => set !== undefined && this.#chosen.has(set))) break
      const still = (await this.#with(change, () => this.#compare(call))).map(toKey)
      const removed = best.filter((_, at) => !still.includes(keys[at] ?? ''))
      if (removed.length === 0) continue
      const gain = await this.#measure(change)
      const set = `${change.id}=${change.value}`
      for (const each of removed) if (gain > each.gain) Object.assign(each, { set, gain })
    }
    return best.map(({ set }) => {
      if (set !== undefined) this.#chosen.add(set)
      return set
    })
  }

  /** The other values of the settings that concern a call. */
  #listChanges(call: ComparedCall, found: readonly ShapeDifference[]): Change[] {
    const isChosen = ({ id, value }: Change) => this.#chosen.has(`${id}=${value}`)
    const statuses = found.flatMap(({ what, provider = '' }) => (what === 'status' ? provider : []))
    const changes = settingsAbout(call).flatMap((id) => {
      const { options, format, parse } = settingOf(id)
      const values = id.startsWith('status.') ? statuses : [options, format(strictValue(id))].flat()
      return values.filter((value) => parse(value) !== undefined).map((value) => ({ id, value }))
    })
    return [...changes.filter(isChosen), ...changes.filter((change) => !isChosen(change))]
  }

  async #measure(change: Change): Promise<number> {
    const key = `${change.id}=${change.value}`
    const calls = [...this.#theirs.keys()].filter((call) => settingsAbout(call).includes(change.id))
    const gain =
      this.#gains.get(key) ??
      (await this.#weigh(calls)) - (await this.#with(change, () => this.#weigh(calls)))
    this.#gains.set(key, gain)
    return gain
  }

  /** Weighs what differs now. Behind another status, further differences may hide. */
  async #weigh(calls: readonly ComparedCall[]): Promise<number> {
    let weight = 0
    for (const call of calls) {
      const found = await this.#compare(call)
      for (const { what } of found) weight += what === 'status' ? STATUS_WEIGHT : 1
    }
    return weight
  }

  async #compare(call: ComparedCall): Promise<ShapeDifference[]> {
    const provider = this.#theirs.get(call)
    return provider ? compareShapes(provider, shapeOf(await this.#ours.send(call))) : []
  }

  async #with<Result>({ id, value }: Change, act: () => Promise<Result>): Promise<Result> {
    const { settings } = this.#sandbox
    const before = (await settings.get(id)).value
    await settings.set({ [id]: value })
    try {
      return await act()
    } finally {
      await settings.set({ [id]: before })
    }
  }
}

/** Settings that a call can show. A login code works only once, so that call is not repeated. */
function settingsAbout(call: ComparedCall): readonly SettingId[] {
  if (call === LOG_IN) return []
  return call.operation === undefined ? [UNKNOWN_PATH] : settingsOn(call.operation)
}

const toKey = (difference: ShapeDifference) => JSON.stringify(difference)
