import type * as z from 'zod'
import { DomainError } from '../world/domain-error.ts'
import { assertFewSettings } from '../world/settings/index.ts'
import type { State } from '../world/state.ts'
import { decodeUtf8 } from '../world/utf8.ts'
import type { ListName } from './replay.ts'
import { assertConsistent, stateError } from './state-references.ts'
import { Frame, ROWS } from './state-schema.ts'

/** Deeper JSON can be read, yet not printed: printing is recursive. */
const NESTING_MAX = 100
/** A row, or what lies between two lists. */
const ITEM_MAX = 32 * 1024 * 1024

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const [OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [0x5b, 0x5d, 0x7b, 0x7d]

interface List {
  name: ListName
  schema: z.ZodType
  rows: unknown[]
}

/**
 * A state that came as JSON, in pieces: the whole may be longer than a string can be. The rows of its
 * lists are cut out and read one by one, so that the first wrong one ends it. What remains, a small
 * document with empty lists, is read as a whole.
 */
export async function importDocument(pieces: AsyncIterable<Uint8Array>): Promise<State> {
  const lists = new Map<string, List>()
  /** Bytes of earlier pieces that belong to what is being read. */
  let kept: Uint8Array[] = []
  let frame = ''
  let list: List | undefined
  let depth = 0
  let isInString = false
  let isEscaped = false
  for await (const piece of pieces) scan(piece)
  return toState(parse(frame + take(new Uint8Array(0))), lists)

  function scan(bytes: Uint8Array) {
    let from = 0
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number
      if (isInString) {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) isInString = false
      } else if (byte === QUOTE) isInString = true
      else if (follow(byte) === 2) from = cut(bytes, from, at)
    }
    if (from < bytes.length) kept.push(bytes.slice(from))
  }

  /** The depth at which a comma or bracket stands; 0 for anything else. */
  function follow(byte: number): number {
    if (byte === COMMA) return depth
    if (byte === CLOSE || byte === CLOSE_LIST) return depth--
    if (byte !== OPEN && byte !== OPEN_LIST) return 0
    if (++depth <= NESTING_MAX) return depth
    throw new DomainError('invalid', 'body', `The body may be nested at most ${NESTING_MAX} deep.`)
  }

  /** Ends what began at `from`, if a list begins or a row ends; returns where the next part begins. */
  function cut(bytes: Uint8Array, from: number, at: number): number {
    const byte = bytes[at]
    if (list === undefined) {
      if (byte !== OPEN_LIST) return from
      frame += take(bytes.subarray(from, at + 1))
      list = beginList()
      return at + 1
    }
    const text = take(bytes.subarray(from, at))
    const isEmpty = byte !== COMMA && list.rows.length === 0 && /^[ \t\r\n]*$/.test(text)
    if (!isEmpty) {
      const row = parse(text)
      assertValid(list.schema, row, [list.name, String(list.rows.length)])
      list.rows.push(row)
    }
    if (byte === COMMA) return at + 1
    list = undefined
    return at
  }

  /** Earlier lists are empty in the frame, so the one with an item is the one that begins. */
  function beginList(): List {
    const read = parse(`${frame}0]}`) as Record<string, unknown>
    assertFormat(read, 'formatVersion' in read)
    const name = Object.keys(read).find((key) => Array.isArray(read[key]) && read[key].length > 0)
    if (!isListName(name)) throw stateError('state', `Unrecognized key: ${JSON.stringify(name)}`)
    if (lists.has(name)) throw stateError(name, 'is there twice')
    const begun = { name, schema: ROWS[name](), rows: [] }
    lists.set(name, begun)
    return begun
  }

  function take(bytes: Uint8Array): string {
    const all = Buffer.concat([...kept, bytes])
    kept = []
    if (all.length <= ITEM_MAX) return decodeUtf8(all)
    const message = `No row or value of the body may have more than ${ITEM_MAX} bytes.`
    throw new DomainError('invalid', 'body', message)
  }
}

/** A state that a world may be built of: its references lead somewhere, its counts are right. */
function toState(frame: unknown, lists: ReadonlyMap<string, List>): State {
  if (frame === null || typeof frame !== 'object' || Array.isArray(frame)) {
    throw new DomainError('invalid', 'body', 'The body must be a JSON object.')
  }
  // States of earlier versions have no sessions.
  const state: Record<string, unknown> = { sessions: [], ...frame }
  assertFormat(state)
  assertFewSettings(state.settings)
  for (const { name, rows } of lists.values()) if (Array.isArray(state[name])) state[name] = rows
  assertValid(Frame(), state)
  const read = state as unknown as State
  if (read.integrators.length === 0) throw stateError('integrators', 'is empty')
  assertConsistent(read)
  return read
}

const isListName = (name: string | undefined): name is ListName =>
  name !== undefined && Object.hasOwn(ROWS, name)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new DomainError('invalid', 'body', `The body is not JSON: ${(error as Error).message}.`)
  }
}

/** Of a row that may have millions of entries, the first that is wrong is enough. */
const FIRST_PROBLEM = { abortEarly: true } as object

function assertValid(schema: z.ZodType, value: unknown, place: string[] = []) {
  const parsed = schema.safeParse(value, FIRST_PROBLEM)
  if (parsed.success) return
  const [issue] = parsed.error.issues
  const path = [...place, ...(issue?.path ?? [])].map(String).join('.') || 'state'
  throw stateError(path, issue?.message ?? 'is not a state')
}

function assertFormat({ formatVersion }: Record<string, unknown>, isThere = true) {
  if (!isThere || formatVersion === 1) return
  throw new DomainError(
    'invalid',
    'formatVersion',
    `formatVersion is ${JSON.stringify(formatVersion)}; this version of ramp-sandbox reads 1.`,
    { code: 'format-version' },
  )
}
