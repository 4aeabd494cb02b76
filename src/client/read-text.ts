const MIB = 1024 * 1024
/** Longest response of another program that is read, the length of the longest state. */
const BYTES_MAX = 16 * MIB

/** Reads the text of a response of another program, which may have no end. */
export async function readText({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += piece.length
    if (length > BYTES_MAX) throw new Error(`the response is longer than ${BYTES_MAX / MIB} MiB`)
    pieces.push(piece)
  }
  return new TextDecoder().decode(Buffer.concat(pieces))
}
