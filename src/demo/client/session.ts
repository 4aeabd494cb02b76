import { prefix } from './api.ts'
import { customerRecord } from './customer.ts'
import { readRecord, writeRecord } from './records.ts'
import { change, startOver, state, type WireGroup } from './store.ts'
import { isFork } from './view.ts'

/** How often a window looks for what other windows of its session did. */
const LOOK_MS = 700
const TRIES_MAX = 5
/** Groups of rows in the session's record. Windows that follow it already have the older ones. */
const CAUSES_KEPT = 30
const KEY = `demo-wallet ${prefix}`

/** Session of the wallet's server, which windows and phones share. */
class Session {
  readonly #window = newId()
  #id = ''
  /** Version of the session's record that this window has seen. */
  #version = 0
  /** The window that acted last. It alone acts on webhooks, or two windows would ask for two codes. */
  #owner = this.#window
  #isLooking = false

  get id(): string {
    return this.#id
  }

  get isOwner(): boolean {
    return this.#owner === this.#window
  }

  /** Opens the session of this window or, if it has none, the last one in this browser. */
  async resume(): Promise<boolean> {
    const shared = new URLSearchParams(location.search).get('session')
    this.#id = shared ?? recall()
    if (!/^[\w-]{8,40}$/.test(this.#id)) return false
    this.#version = 0
    if (!(await this.#followUntil(shared === null ? 1 : TRIES_MAX))) return false
    remember(this.#id)
    return true
  }

  /** Begins with an e-mail address that no other session of this world has. */
  async begin(users: number): Promise<void> {
    const { userId, screen, email } = state
    // Nobody signed in with this one yet.
    if (this.#id !== '' && userId === '' && screen === 'welcome' && email !== '') {
      return startOver(email)
    }
    // The session stays the same, so that phones follow.
    if (this.#id === '') this.#id = newId()
    this.#owner = this.#window
    const free = await takeNumber(users + 1)
    startOver(free > 1 ? `ana${free}@example.com` : 'ana@example.com')
    remember(this.#id)
  }

  /** Makes this window the one that acts. */
  async claim(): Promise<void> {
    if (this.isOwner || this.#id === '') return
    await this.follow()
    this.#owner = this.#window
    await this.save()
  }

  async save(): Promise<void> {
    if (this.#id === '' || !this.isOwner) return
    const written = await writeRecord(...this.record())
    this.#version = written.version
  }

  /** Writes everything again after the world was replaced. */
  async rewrite(): Promise<void> {
    this.#owner = this.#window
    await writeRecord(...customerRecord())
    await this.save()
  }

  /** Key and value of what the session's windows share. */
  record(): [key: string, value: object] {
    const { causes: _, ...wallet } = state.kept()
    const causes = state.causes.slice(-CAUSES_KEPT)
    return [this.#key, { by: this.#window, wallet, causes }]
  }

  /** Takes over what other windows of the session did; true if there was anything. */
  async follow(): Promise<boolean> {
    if (this.#id === '' || this.#isLooking) return false
    this.#isLooking = true
    try {
      const { version, value } = await readRecord(this.#key, this.#version)
      if (!value || value.by === this.#window || version <= this.#version) return false
      this.#version = version
      this.#owner = value.by
      const isSame = value.wallet.email === state.email
      change({ ...value.wallet, causes: isSame ? withNew(value.causes) : value.causes })
      return true
    } finally {
      this.#isLooking = false
    }
  }

  followOthers(): void {
    setInterval(() => {
      if (!document.hidden && !state.isBusy && !state.isGone) void this.follow().catch(() => null)
    }, LOOK_MS)
  }

  get #key(): string {
    return `session.${this.#id}`
  }

  /** The window that restored a world may not have written the session again yet. */
  async #followUntil(triesMax: number): Promise<boolean> {
    for (let tries = 1; tries <= triesMax; tries++) {
      if (await this.follow()) return true
      if (tries < triesMax) await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
    return false
  }
}

export const session = new Session()

function withNew(causes: readonly WireGroup[]): WireGroup[] {
  const known = new Set(state.causes.map((cause) => cause.id))
  return [...state.causes, ...causes.filter((cause) => !known.has(cause.id))]
}

/** Every new session writes this record, so the version it gets is a number of its own. */
async function takeNumber(least: number): Promise<number> {
  const before = (await readRecord('starts')).value ?? { least }
  const { version: starts } = await writeRecord('starts', before)
  return Math.max(before.least + starts - 1, least)
}

/** A page framed by another site may have no storage. */
function eachStore(use: (store: Storage) => unknown): string {
  try {
    return String(use(sessionStorage) || use(localStorage) || '')
  } catch {
    return ''
  }
}

/** The world of a fork ends with the split, so nothing is remembered of it. */
function remember(id: string): void {
  if (!isFork) eachStore((store) => store.setItem(KEY, id))
}

const recall = () => eachStore((store) => store.getItem(KEY))

/**
 * An id that nobody can guess. A page that a phone opens over http has no `crypto.randomUUID`, which
 * browsers keep for https and localhost.
 */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
