// What differs between two responses or webhooks, by field.
import { createHmac } from 'node:crypto'
import { isId, kindOf } from './ids.mjs'

/** Fields that differ by nature: how long something took, a version, the end of a token. */
const MASKED = new Set(['durationMs', 'version', 'authorization'])
/** The same of headers; the length and tag of a body follow from the body. */
const MASKED_HEADERS = new Set(
  'date connection keep-alive content-length etag host user-agent x-sandbox-version'.split(' '),
)
const SIGNED = /-(timestamp|signature)$/i
/** Bodies that are long texts for people or machines: that they differ is one difference. */
const WHOLE = /^(get\w+Document|getLlmsText|respondToMcp|listScenarios)$/
const SHOWN_MAX = 300

export class Differences {
  /** `report({ operation, difference, before, after })` is called for each. */
  constructor({ ids, place, report }) {
    Object.assign(this, { ids, place, report })
  }

  compareResponses(operation, before, after) {
    Object.assign(this, { operation })
    this.ids.operation = operation
    if (before.status !== after.status) {
      this.#add('status', ...[before, after].map(({ status, text }) => `${status} ${text}`))
      if (!isSuccess(before) || !isSuccess(after)) return
    }
    this.#compareHeaders('header', before.headers, after.headers)
    if (before.text === after.text) {
      this.ids.note(before.text)
      return
    }
    const [left, right] = [parse(before.text), parse(after.text)]
    if (WHOLE.test(operation)) {
      const found = this.ids.compare(before.text, after.text)
      return found === 'different' && this.#add('body', before.text, after.text)
    }
    this.#compare('body', 'body', left ?? before.text, right ?? after.text)
  }

  /** Webhooks that a call led to; those of different paths may have come in any order. */
  compareWebhooks(operation, [before, after], secrets) {
    const paths = new Set([...before, ...after].map(({ path }) => path))
    for (const path of paths) {
      Object.assign(this, { operation })
      const [left, right] = [before, after].map((all) => all.filter((each) => each.path === path))
      const typesOf = (all) => all.map(({ text }) => describe(parse(text))).join(', ')
      if (left.length !== right.length) this.#add('webhooks', typesOf(left), typesOf(right))
      else for (const [i, each] of left.entries()) this.#compareWebhook(each, right[i], secrets)
    }
  }

  #compareWebhook(before, after, secrets) {
    const [left, right] = [parse(before.text), parse(after.text)]
    this.operation = `webhook ${left?.type ?? 'of v1'}`
    this.#compareHeaders('header', before.headers, after.headers)
    this.#compare('signature', '', verify(before, secrets.before), verify(after, secrets.after))
    this.#compare('writing', '', writingOf(before.text), writingOf(after.text))
    this.#compare('body', 'body', left ?? before.text, right ?? after.text)
  }

  #compareHeaders(path, before, after) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const [left, right] = [before[name], after[name]]
      const isMasked = MASKED_HEADERS.has(name.toLowerCase()) || SIGNED.test(name)
      if (!isMasked || (left === undefined) !== (right === undefined)) {
        this.#compare(`${path} ${name}`, name, left, right)
      }
    }
  }

  #compare(path, field, before, after) {
    if (before === after || MASKED.has(field)) return
    if (SIGNED.test(field) && before && after) return
    if (Array.isArray(before) && Array.isArray(after))
      return this.#compareLists(path, before, after)
    if (isObject(before) && isObject(after)) return this.#compareObjects(path, before, after)
    const [token, other] = [payloadOf(before), payloadOf(after)]
    if (token && other) {
      this.ids.note(before, after)
      return this.#compare(`${path} payload`, '', token, other)
    }
    const found = this.ids.compare(withoutWall(before), withoutWall(after), field)
    if (found === 'same') return
    if (found === 'new') {
      const kind = { operation: 'ids', difference: `${this.place} ${kindOf(before, field)}` }
      return this.report({ ...kind, before: toText(before), after: toText(after) })
    }
    const [left, right] = [parse(before), parse(after)]
    if (isObject(left) && isObject(right)) {
      this.#compare(`${path} writing`, '', writingOf(before), writingOf(after))
      return this.#compare(path, field, left, right)
    }
    this.#add(path, before, after)
  }

  #compareObjects(path, before, after) {
    if (path.endsWith('.headers')) return this.#compareHeaders(path, before, after)
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const step = isId(name) ? '*' : name
      this.#compare(`${path}.${step}`, name, before[name], after[name])
    }
  }

  /** Rows with names of their own are compared by name, others by their place. */
  #compareLists(path, before, after) {
    const rows = [...before, ...after]
    if (rows.length > 0 && rows.every((row) => typeof row?.id === 'string' && !isId(row.id))) {
      const byName = (list) => Object.fromEntries(list.map((row) => [row.id, row]))
      return this.#compareObjects(`${path}[]`, byName(before), byName(after))
    }
    if (before.length !== after.length) {
      const i = before.findIndex((row, at) => JSON.stringify(row) !== JSON.stringify(after[at]))
      const at = i < 0 ? before.length : i
      const [left, right] = [before, after].map(
        (list) => `${list.length} rows; row ${at}: ${show(toText(list[at]))}`,
      )
      return this.#add(`${path}[] length`, left, right)
    }
    for (const [i, row] of before.entries()) this.#compare(`${path}[]`, '', row, after[i])
  }

  #add(difference, before, after) {
    const { operation } = this
    const [left, right] = [before, after].map(toText)
    // Long values are shown from a little before the place where they differ.
    const at = [...left].findIndex((character, i) => character !== right[i])
    const from = left.length < SHOWN_MAX ? 0 : Math.max(0, at - SHOWN_MAX / 3)
    this.report({ operation, difference, before: show(left, from), after: show(right, from) })
  }
}

const toText = (value) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing'))

const show = (text, from = 0) =>
  (from > 0 ? '… ' : '') +
  text.slice(from, from + SHOWN_MAX) +
  (text.length > from + SHOWN_MAX ? ' …' : '')

const WALL_MS = 70 * 60_000
const INSTANT = /\d{4}-\d\d-\d\dT[\d:.]+Z|\b\d{10}\b/g

/** A text without instants of wall time, which are near the present; the world's are elsewhere. */
function withoutWall(value) {
  if (typeof value === 'number' && withoutWall(String(value)) === '(now)') return '(now)'
  if (typeof value !== 'string') return value
  const toMs = (instant) => (instant.includes('T') ? Date.parse(instant) : Number(instant) * 1000)
  const isNear = (instant) => Math.abs(toMs(instant) - Date.now()) < WALL_MS
  return value.replace(INSTANT, (instant) => (isNear(instant) ? '(now)' : instant))
}

/** What a token says; the token itself differs where its world's name was drawn. */
function payloadOf(text) {
  const part = /^eyJ[\w-]+\.(eyJ[\w-]+)\.[\w-]+$/.exec(text)?.[1]
  return part && parse(Buffer.from(part, 'base64url').toString())
}

export const isSuccess = ({ status }) => status < 400

const isObject = (value) => value !== null && typeof value === 'object'

export function parse(text) {
  if (typeof text !== 'string' || !/^\s*[{["]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** How JSON is written, which a receiver that verifies a signature depends on. */
function writingOf(text) {
  const json = parse(text)
  if (json === undefined) return 'no JSON'
  if (JSON.stringify(json) === text) return 'compact'
  const spaced = JSON.stringify(json, null, 1).replace(/\n */g, ' ')
  return spaced === text ? 'spaced' : 'other'
}

const describe = (json) => `${json?.type ?? 'v1'} ${json?.payload?.status ?? json?.status}`

function verify({ headers, raw }, secrets) {
  const find = (end) => Object.entries(headers).find(([name]) => name.endsWith(end))?.[1]
  const [timestamp, signature] = [find('-timestamp'), find('-signature')]
  if (signature === undefined) return 'none'
  const sign = (secret) => createHmac('sha256', secret).update(`${timestamp}.${raw}`).digest('hex')
  return [...secrets].some((secret) => `v1=${sign(secret)}` === signature)
    ? 'valid'
    : 'of no known secret'
}
