/** Entries that may wait to be written; more are counted and left out. */
const WAITING_MAX = 1_000
/** A thousand in a second: nobody reads faster. */
const ENTRIES_PER_TURN = 50
const TURN_EVERY_MS = 50
/** A turn is followed by so many times its length, so that calls keep nearly all of the time. */
const RESTS_PER_TURN = 30
/** What the terminal has not taken yet; nothing is written above it. */
const UNREAD_BYTES_MAX = 64 * 1024

export interface LineWriterOptions<Entry> {
  stream: NodeJS.WriteStream
  format(entry: Entry): string
  formatDropped(count: number): string
}

/** Writes entries a moment later, and leaves some out rather than wait for a slow reader. */
export function createLineWriter<Entry>(options: LineWriterOptions<Entry>) {
  const { stream, format, formatDropped } = options
  let waiting: Entry[] = []
  let dropped = 0
  let timer: NodeJS.Timeout | undefined
  setNonBlocking(stream)
  return {
    add(entry: Entry) {
      if (!drop()) waiting.push(entry)
      timer ??= setTimeout(takeTurn, TURN_EVERY_MS).unref()
    },
    drop,
    end() {
      clearTimeout(timer)
      write(waiting.length)
    },
  }

  /** Counts an entry that is left out; once one is, so are all up to the line that says how many. */
  function drop(): boolean {
    const isFull = dropped > 0 || waiting.length >= WAITING_MAX
    if (isFull) dropped++
    return isFull
  }

  function takeTurn() {
    const startedAt = performance.now()
    if (stream.writableLength <= UNREAD_BYTES_MAX) write(ENTRIES_PER_TURN)
    const restMs = Math.max(TURN_EVERY_MS, RESTS_PER_TURN * (performance.now() - startedAt))
    const isDone = waiting.length === 0 && dropped === 0
    timer = isDone ? undefined : setTimeout(takeTurn, restMs).unref()
  }

  function write(count: number) {
    const lines = waiting.slice(0, count).map(format)
    waiting = waiting.slice(count)
    if (waiting.length === 0 && dropped > 0) {
      lines.push(formatDropped(dropped))
      dropped = 0
    }
    if (lines.length > 0 && stream.writable) stream.write(`${lines.join('\n')}\n`)
  }
}

/** Node halts the whole process while a terminal takes nothing, for example after Ctrl-S. */
function setNonBlocking(stream: NodeJS.WriteStream) {
  const { _handle } = stream as { _handle?: { setBlocking?(isBlocking: boolean): void } }
  _handle?.setBlocking?.(false)
}
