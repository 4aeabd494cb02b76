interface Kind {
  name: string
  /** Media types that mean it; one that ends in `*` stands for all that begin so. */
  types: readonly string[]
  /** Whether content begins like this; one character is one byte. */
  fits(head: string): boolean
}

/** Bytes of a document that are looked at. */
export const HEAD_BYTES = 1_536

const HEIF_BRAND = /^[\s\S]{4}ftyp(hei[cmsx]|hev[cmsx]|mif1|msf1)/
const AVIF_BRAND = /^[\s\S]{4}ftypavi[fs]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: these tell text from other bytes
const NO_TEXT = /[\0-\x08\x0e-\x1a\x1c-\x1f]/

const begins =
  (...starts: string[]) =>
  (head: string) =>
    starts.some((start) => head.startsWith(start))

/** What documents are made of, by their first bytes. */
const KINDS: readonly Kind[] = [
  // Readers of PDF let other bytes stand before the header.
  { name: 'a PDF', types: ['application/pdf'], fits: (head) => head.includes('%PDF-') },
  { name: 'a PNG', types: ['image/png'], fits: begins('\x89PNG\r\n\x1a\n') },
  {
    name: 'a JPEG',
    types: ['image/jpeg', 'image/jpg', 'image/pjpeg'],
    fits: begins('\xff\xd8\xff'),
  },
  { name: 'a GIF', types: ['image/gif'], fits: begins('GIF87a', 'GIF89a') },
  { name: 'a WebP', types: ['image/webp'], fits: (head) => /^RIFF[\s\S]{4}WEBP/.test(head) },
  { name: 'a HEIC', types: ['image/heic*', 'image/heif*'], fits: (head) => HEIF_BRAND.test(head) },
  { name: 'an AVIF', types: ['image/avif'], fits: (head) => AVIF_BRAND.test(head) },
  { name: 'a TIFF', types: ['image/tiff'], fits: begins('II*\0', 'MM\0*') },
  {
    name: 'a ZIP or an office document',
    types: [
      'application/zip',
      'application/x-zip-compressed',
      'application/vnd.openxmlformats-officedocument.*',
      'application/vnd.oasis.opendocument.*',
    ],
    fits: begins('PK\x03\x04'),
  },
  {
    name: 'an older office document',
    types: ['application/msword', 'application/vnd.ms-excel', 'application/vnd.ms-powerpoint'],
    fits: begins('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'),
  },
  { name: 'an RTF', types: ['application/rtf', 'text/rtf'], fits: begins('{\\rtf') },
  { name: 'text', types: ['text/*'], fits: (head) => !NO_TEXT.test(head) },
]

/** The kind that a media type means; undefined for one whose content cannot be judged here. */
function findKind(type: string): Kind | undefined {
  const wanted = type.toLowerCase()
  return KINDS.find(({ types }) =>
    types.some((known) =>
      known.endsWith('*') ? wanted.startsWith(known.slice(0, -1)) : wanted === known,
    ),
  )
}

export function isSameType(one: string, other: string): boolean {
  const kind = findKind(one)
  return (
    one.toLowerCase() === other.toLowerCase() || (kind !== undefined && kind === findKind(other))
  )
}

/** What content is instead of what its media type says, as a noun; undefined where they agree. */
export function findMismatch(type: string, head: string): string | undefined {
  const kind = findKind(type)
  const found = KINDS.find(({ fits }) => fits(head))
  if (kind === undefined || found === kind) return undefined
  return found?.name ?? 'something else'
}
