// One round: a world that starts anew, a few users in it, then random calls to both builds.
import { createHash } from 'node:crypto'
import { Draw, PerBuild, toWire } from './calls.mjs'
import { Differences, isSuccess, parse } from './differences.mjs'
import { Ids } from './ids.mjs'
import { KEYS, Known } from './values.mjs'

const CALLS_MAX = 80
const SECRET = /whsec_\w+/g

export class Round {
  #known = new Known()
  #ids = new Ids()
  #secrets = { before: new Set(), after: new Set() }
  #number = 0
  #base = ''
  #isOver = false
  #isEmpty = true

  constructor({ before, after, report, shared, round, seed, isShown }) {
    Object.assign(this, { before, after, report, round, isShown })
    this.dice = rollDice(`${seed} ${round}`)
    this.draw = new Draw({ ...shared, dice: this.dice, known: this.#known })
    this.place = this.dice.pick(['default', 'named', 'named', 'private'])
    this.differences = new Differences({
      ids: this.#ids,
      place: this.place,
      report: (found) => report.add(found, this.where),
    })
  }

  async play() {
    await this.#open()
    await this.#populate()
    while (this.#number < CALLS_MAX && !this.#isOver) {
      const [last, ...first] = this.draw.next().reverse()
      for (const id of first.reverse()) await this.#make(this.draw.of(id))
      if (!this.#isOver) await this.#make(this.draw.any(last))
      if (this.#isEmpty) await this.#populate()
    }
    if (this.place === 'default') return
    // From then on, time goes on in each build for itself.
    const isLast = this.dice.chance(0.2)
    if (isLast) await this.#make(this.draw.of('resumeClock'), { isLast })
    const [name] = /[^/]+$/.exec(this.#base)
    this.#base = ''
    await this.#make(this.draw.of('deleteWorld', { path: { name } }), { isLast })
  }

  /** A fresh world with webhooks and users who are logged in; some have other settings. */
  async #open() {
    const { dice, draw } = this
    draw.choose()
    if (this.place === 'default') await this.#make(draw.of('reset', { body: {} }))
    else if (this.place === 'named') {
      this.#base = `/w/round-${this.round}`
      // A seed of its own gives it the ids that it had before ids derived from its name.
      await this.#make(draw.of('reset', { body: { seed: 'a' } }))
    } else {
      const made = await this.#make(
        draw.of('createWorld', { body: { fixture: 'default', seed: 'a' } }),
      )
      this.#base = `/w/${made.name}`
    }
    if (dice.chance(0.5)) await this.#make(draw.of('patchSettings'))
    if (dice.chance(0.7)) {
      await this.#make(draw.of('patchSettings', { body: { 'limits.active': 30 } }))
    }
    for (const key of Object.values(KEYS)) {
      const headers = { 'x-api-key': key }
      if (dice.chance(0.8)) await this.#make(draw.of('putWebhookConfiguration', { headers }))
      if (dice.chance(0.5)) await this.#make(draw.of('v1PatchWebhooks', { headers }))
    }
  }

  /** Users who are logged in, one of them with orders. */
  async #populate() {
    const { dice, draw } = this
    this.#isEmpty = false
    for (const name of ['alice', 'bob', 'carol']) {
      const integrator = dice.pick(['main', 'main', 'second'])
      const user = `${name}@example.com`
      const body = { email: user, verified: name !== 'carol', integrator }
      await this.#make(draw.of('addUser', { body }))
      if (name === 'carol') continue
      await this.#make(draw.of('issueAccessToken', { path: { user }, body: { integrator } }))
      draw.choose()
      await this.#make(draw.of('createQuote'))
      await this.#make(draw.of('createTransaction'))
    }
  }

  /**
   * Makes a call to both builds and compares; returns what the earlier one responded. An operation
   * that only one build has is not called.
   */
  async #make(call, { isLast = false } = {}) {
    if (!call) return {}
    const [ids, base] = [this.#ids, this.#base]
    const wires = ['before', 'after'].map((side) => toWire(call, { base, side, ids }))
    const [before, after] = await this.#send(wires)
    this.#number += 1
    const { operation } = call
    this.where = { round: this.round, number: this.#number, curl: toCurl(wires[0]) }
    if (this.isShown) this.#show(wires, [before, after])
    this.report.count(operation, before.status)
    this.differences.compareResponses(operation, before, after)
    // After this, the two worlds or their journals may be different ones.
    const isNoted = ({ headers }) => 'x-sandbox-request' in headers
    if (before.status !== after.status || isNoted(before) !== isNoted(after)) this.#isOver = true
    const json = parse(before.text) ?? {}
    this.#known.learn(call, before, json)
    if (operation === 'reset' && isSuccess(before)) this.#isEmpty = true
    const other = parse(after.text)
    if (operation === 'exportState' && json.formatVersion && other) {
      this.#known.add('state', new PerBuild(json, other))
    }
    const isIgnored = isLast || this.#isOver
    if (call.method !== 'GET') await this.#compareWebhooks(operation, { isIgnored })
    return json
  }

  async #send([one, other]) {
    const responses = await Promise.all([this.before.send(one), this.after.send(other)])
    for (const [i, side] of ['before', 'after'].entries()) {
      for (const secret of responses[i].text.match(SECRET) ?? []) this.#secrets[side].add(secret)
      const ended = this[side].ended()
      if (ended) throw ended
    }
    return responses
  }

  async #compareWebhooks(operation, { isIgnored }) {
    const path = '/_sandbox/webhooks/drain'
    const headers = ['content-type', 'application/json']
    const drain = { method: 'POST', path: this.#base + path, headers, body: '{}' }
    await this.#send([drain, { ...drain, path: this.#ids.translate(drain.path) }])
    const webhooks = [this.before.takeWebhooks(), this.after.takeWebhooks()]
    if (isIgnored) return
    this.differences.compareWebhooks(operation, webhooks, this.#secrets)
    const one = webhooks[0].at(-1)
    const other = webhooks[1].findLast(({ path: to }) => to === one?.path)
    if (!one || !other) return
    const secrets = Object.values(this.#secrets).map((all) => [...all].at(-1) ?? 'whsec_x')
    const explained = ({ headers, text }, secret) => ({ headers, body: text, secret })
    const both = new PerBuild(explained(one, secrets[0]), explained(other, secrets[1]))
    this.#known.add('webhook', both)
  }

  #show([wire], [before, after]) {
    const statuses = [before, after].map(({ status }) => status).join(' | ')
    console.log(`${this.#number}. ${wire.method} ${wire.path} ${wire.body ?? ''} → ${statuses}`)
  }
}

function toCurl({ method, path, headers, body }) {
  const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`
  const named = Array.from({ length: headers.length / 2 }, (_, i) =>
    headers.slice(2 * i, 2 * i + 2),
  )
  const options = named.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`)
  if (body !== undefined) options.push(`-d ${quote(body)}`)
  return [`curl -X ${method}`, ...options, `"$URL"${quote(path)}`].join(' ')
}

/** Chance that a seed decides. */
function rollDice(seed) {
  let state = createHash('sha256').update(seed).digest().readUInt32LE()
  const draw = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit) => Math.floor(draw() * limit)
  const pick = (list) => list[below(list.length)]
  return { below, pick, chance: (share) => draw() < share }
}
