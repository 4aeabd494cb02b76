// The least of the ustar format that an image layer needs. The same entries give the same bytes.
const BLOCK = 512
/** Nobody needs to know when an image was made, and its digest must not depend on it. */
const MODIFIED = 0
const TYPES = { file: '0', folder: '5' }

/**
 * A tar archive of `{ path, bytes, mode, user }`; an entry without bytes is a folder.
 * Entries stay in their order, so a folder goes before what is in it.
 */
export function toTar(entries) {
  const blocks = entries.flatMap(({ path, bytes, mode, user = 0 }) => {
    const type = bytes ? TYPES.file : TYPES.folder
    const header = toHeader({ path, size: bytes?.length ?? 0, mode, user, type })
    return bytes ? [header, bytes, Buffer.alloc(-bytes.length & (BLOCK - 1))] : [header]
  })
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)])
}

function toHeader({ path, size, mode, user, type }) {
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is too long for a tar header.`)
  const octal = (number, width) => `${number.toString(8).padStart(width - 1, '0')}\0`
  const owner = octal(user, 8)
  const before = [path.padEnd(100, '\0'), octal(mode, 8), owner, owner]
  before.push(octal(size, 12), octal(MODIFIED, 12))
  const after = `${type}${'\0'.repeat(100)}ustar\x0000`.padEnd(BLOCK - 156, '\0')
  // The checksum is of the header with blanks in its own place.
  const sum = [...Buffer.from(`${before.join('')}${' '.repeat(8)}${after}`)].reduce((a, b) => a + b)
  return Buffer.from(`${before.join('')}${octal(sum, 7)} ${after}`)
}
