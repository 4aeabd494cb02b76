/** Calls for each whole message that came; keeps the rest of the bytes for the next chunk. */
export function eachMessage(take) {
  let kept = null
  return (chunk) => {
    let bytes = kept ? Buffer.concat([kept, chunk]) : chunk
    for (;;) {
      const message = readMessage(bytes)
      if (message === undefined) break
      const { length } = message
      take(message, bytes)
      bytes = bytes.subarray(length)
      if (bytes.length === 0) break
    }
    kept = bytes.length > 0 ? bytes : null
  }
}

/** The first whole HTTP message of some bytes, or nothing while some of it is still to come. */
function readMessage(bytes) {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = bytes.latin1Slice(0, headEnd)
  const bodyBytes = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN)
  if (Number.isNaN(bodyBytes)) throw new Error(`no content-length in ${head}`)
  const length = headEnd + 4 + bodyBytes
  return length <= bytes.length ? { head, bodyBytes, length } : undefined
}
