// Collects differences: each kind once, those that are named apart, and what was called.

export class Report {
  #kinds = new Map()
  #called = new Map()

  constructor({ named, only, again }) {
    Object.assign(this, { only, again })
    this.named = named.map((name) => ({ ...name, met: 0 }))
  }

  /** Takes a difference and where it was found. */
  add(found, where = {}) {
    const name = this.named.find((each) => isNamedBy(each, { ...found, ...where }))
    if (name) name.met += 1
    if (name || !this.only.test(found.operation)) return
    const kind = `${found.operation}: ${found.difference}`
    const known = this.#kinds.get(kind) ?? { ...found, ...where, times: 0 }
    this.#kinds.set(kind, { ...known, times: known.times + 1 })
  }

  count(operation, status) {
    const counts = this.#called.get(operation) ?? { ok: 0, refused: 0 }
    counts[status < 400 ? 'ok' : 'refused'] += 1
    this.#called.set(operation, counts)
  }

  get calls() {
    return [...this.#called.values()].reduce((sum, { ok, refused }) => sum + ok + refused, 0)
  }

  print(operations, seconds) {
    for (const [kind, { before, after, times, round, number, curl }] of this.#kinds) {
      console.log(
        `\n${kind}${times > 1 ? ` (${times} times)` : ''}\n  before  ${before}\n  after   ${after}`,
      )
      if (curl) console.log(`  ${curl}\n  call ${number} of ${this.again} --round ${round}`)
    }
    const all = [...operations.keys()]
    const never = all.filter((id) => !this.#called.has(id))
    const called = all.length - never.length
    const refused = all.filter((id) => this.#called.get(id)?.ok === 0)
    const counts = [...this.#called].map(([id, { ok, refused: no }]) => `${id} ${ok}/${no}`)
    console.log(`\nCalls (2xx and 3xx/other): ${counts.sort().join(', ')}`)
    if (never.length > 0) console.log(`Never called: ${never.join(', ')}`)
    if (refused.length > 0) console.log(`Never successful: ${refused.join(', ')}`)
    for (const { operation, difference, met } of this.named) {
      if (met === 0) console.log(`Named, but not met: ${operation}: ${difference}`)
    }
    const named = this.named.reduce((sum, { met }) => sum + met, 0)
    console.log(
      `${this.calls} calls in ${seconds.toFixed(1)} s, ${called} of ${all.length} operations: ` +
        `${this.#kinds.size} kinds of difference, beside ${named} named differences`,
    )
    return this.#kinds.size
  }
}

/** A pattern in which * stands for any text. */
export const toPattern = (text) =>
  new RegExp(
    `^${text
      .split('*')
      .map((part) => part.replace(/[.[\]{}()+?^$|\\]/g, '\\$&'))
      .join('.*')}$`,
    's',
  )

/** Each field of a name is a pattern or a list of them; `call` is searched for in the call. */
function isNamedBy(name, found) {
  if (name.call && !new RegExp(name.call).test(found.curl)) return false
  return ['operation', 'difference', 'before', 'after'].every((field) =>
    [name[field] ?? '*'].flat().some((pattern) => toPattern(pattern).test(found[field])),
  )
}
