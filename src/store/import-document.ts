import type * as z from 'zod'
import { DomainError } from '../world/domain-error.ts'
import { assertFewSettings } from '../world/settings/index.ts'
import type { State } from '../world/state.ts'
import { assertConsistent } from './state-references.ts'
import { Frame, ROWS } from './state-schema.ts'

/** Deeper JSON can be read, yet not printed: printing is recursive. */
const NESTING_MAX = 100

/** A state that came as JSON, in pieces; refuses the first row that is none. */
export async function importDocument(pieces: AsyncIterable<Uint8Array>): Promise<State> {
  const reader = createStateReader()
  const scanner = new Scanner(reader)
  for await (const piece of pieces) scanner.scan(piece)
  scanner.end()
  return reader.finish()
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const [OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Cuts a JSON object into its members, and lists among them into their rows. */
class Scanner {
  readonly #reader: StateReader
  /** Bytes of earlier pieces that belong to what is being read. */
  #kept: Uint8Array[] = []
  #depth = 0
  #isInString = false
  #isEscaped = false
  /** The list that is being read, and how many of its rows came. */
  #list: { name: string; count: number } | undefined
  /** What came last: after a list nothing may come before a comma, after a comma something must. */
  #before: 'nothing' | 'list' | 'comma' = 'nothing'
  #hasEnded = false

  constructor(reader: StateReader) {
    this.#reader = reader
  }

  scan(bytes: Uint8Array): void {
    let from = 0
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (byte === BACKSLASH) this.#isEscaped = true
        else if (byte === QUOTE) this.#isInString = false
      } else if (byte === QUOTE) this.#isInString = true
      else if (isStructure(byte) && this.#endsItem(byte)) {
        this.#endItem(byte, this.#take(bytes.subarray(from, at)))
        from = at + 1
      }
    }
    if (from < bytes.length) this.#kept.push(bytes.slice(from))
  }

  end(): void {
    const rest = this.#take(new Uint8Array(0))
    if (!this.#hasEnded || !isBlank(rest)) throw notJson(new Error('it ends too early or late'))
  }

  /** Follows the nesting; returns whether what was read so far is a whole member, row or name. */
  #endsItem(byte: number): boolean {
    const outer = this.#list ? 2 : 1
    if (byte === COMMA) return this.#depth === outer
    if (byte === CLOSE || byte === CLOSE_LIST) return this.#depth-- === outer
    this.#depth++
    if (this.#depth > NESTING_MAX) {
      throw new DomainError(
        'invalid',
        'body',
        `The body may be nested at most ${NESTING_MAX} deep.`,
      )
    }
    return this.#depth === 1 || (this.#depth === 2 && byte === OPEN_LIST && !this.#list)
  }

  #endItem(byte: number, text: string) {
    if (this.#depth === 1 && (byte === OPEN || byte === OPEN_LIST)) this.#begin(byte, text)
    else if (byte === OPEN_LIST) this.#beginList(text)
    else if (this.#list) this.#endRow(this.#list, byte, text)
    else this.#endMember(byte, text)
  }

  #begin(byte: number, text: string) {
    if (byte === OPEN && isBlank(text) && !this.#hasEnded) return
    throw new DomainError('invalid', 'body', 'The body must be a JSON object.')
  }

  #beginList(text: string) {
    if (this.#before === 'list') throw notJson(new Error('a comma is missing'))
    if (!/:\s*$/.test(text)) throw notJson(new Error('a list has no name'))
    const [name = ''] = Object.keys(parse(`{${text}0}`) as object)
    this.#list = { name, count: 0 }
    this.#reader.beginList(name)
  }

  #endRow(list: { name: string; count: number }, byte: number, text: string) {
    const isEmpty = list.count === 0 && byte === CLOSE_LIST && isBlank(text)
    if (!isEmpty) this.#reader.addRow(list.name, parse(text))
    list.count++
    if (byte === COMMA) return
    if (byte !== CLOSE_LIST) throw notJson(new Error('a list ends with }'))
    this.#list = undefined
    this.#before = 'list'
  }

  #endMember(byte: number, text: string) {
    if (byte === CLOSE_LIST) throw notJson(new Error('an object ends with ]'))
    const isEmpty = this.#before === 'nothing' && byte === CLOSE && isBlank(text)
    const isBad = this.#before === 'list' ? !isBlank(text) : isBlank(text) && !isEmpty
    if (isBad) throw notJson(new Error('a comma is missing, or one too many'))
    if (!isBlank(text)) this.#reader.addMember(parse(`{${text}}`) as object)
    this.#before = 'comma'
    this.#hasEnded = byte === CLOSE
  }

  #take(bytes: Uint8Array): string {
    const text = Buffer.concat([...this.#kept, bytes]).toString()
    this.#kept = []
    return text
  }
}

const isBlank = (text: string) => /^[ \t\r\n]*$/.test(text)

const isStructure = (byte: number) =>
  byte === COMMA || byte === OPEN || byte === CLOSE || byte === OPEN_LIST || byte === CLOSE_LIST

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw notJson(error as Error)
  }
}

const notJson = ({ message }: Error) =>
  new DomainError('invalid', 'body', `The body is not JSON: ${message}.`)

/** Takes a state from outside part by part, and rejects the first that is wrong by its path. */
interface StateReader {
  addMember(member: object): void
  beginList(name: string): void
  addRow(list: string, row: unknown): void
  /** The state, as a world may be built of it: its references lead somewhere, its counts are right. */
  finish(): State
}

function createStateReader(): StateReader {
  const state: Record<string, unknown> = Object.create(null)
  // States of earlier versions have none.
  state.sessions = []
  const schemas = new Map<string, z.ZodType>()
  return {
    addMember(member) {
      assertFewSettings((member as { settings?: unknown }).settings)
      Object.assign(state, member)
      assertFormat(state, 'formatVersion' in state)
    },
    beginList(name) {
      if (Object.hasOwn(ROWS, name)) schemas.set(name, ROWS[name as keyof typeof ROWS]())
      state[name] = []
    },
    addRow(list, row) {
      const rows = state[list] as unknown[]
      const schema = schemas.get(list)
      if (schema) assertValid(schema, row, [list, String(rows.length)])
      // Rows of a list that is unknown are not kept: the list itself is refused.
      if (schema) rows.push(row)
    },
    finish() {
      assertFormat(state)
      assertValid(Frame(), state)
      const read = state as unknown as State
      if (read.integrators.length === 0) throw misfit('integrators', 'is empty')
      assertConsistent(read)
      return read
    },
  }
}

/** Of a row that may have millions of entries, the first that is wrong is enough. */
const FIRST_PROBLEM = { abortEarly: true } as object

function assertValid(schema: z.ZodType, value: unknown, place: string[] = []) {
  const parsed = schema.safeParse(value, FIRST_PROBLEM)
  if (parsed.success) return
  const [issue] = parsed.error.issues
  const path = [...place, ...(issue?.path ?? [])].map(String).join('.') || 'state'
  throw misfit(path, issue?.message ?? 'is not a state')
}

const misfit = (path: string, why: string) => new DomainError('invalid', path, `${path}: ${why}.`)

function assertFormat({ formatVersion }: Record<string, unknown>, isThere = true) {
  if (!isThere || formatVersion === 1) return
  throw new DomainError(
    'invalid',
    'formatVersion',
    `formatVersion is ${JSON.stringify(formatVersion)}; this version of ramp-sandbox reads 1.`,
    { code: 'format-version' },
  )
}
