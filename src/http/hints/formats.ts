/** A value as it was meant, or undefined where that cannot be told. */
type Format = (value: unknown) => string | number | undefined

const PROVINCES = new Map(
  Object.entries({
    alberta: 'AB',
    britishcolumbia: 'BC',
    manitoba: 'MB',
    newbrunswick: 'NB',
    newfoundland: 'NL',
    newfoundlandandlabrador: 'NL',
    novascotia: 'NS',
    northwestterritories: 'NT',
    nunavut: 'NU',
    ontario: 'ON',
    princeedwardisland: 'PE',
    pei: 'PE',
    québec: 'QC',
    quebec: 'QC',
    saskatchewan: 'SK',
    yukon: 'YT',
  }),
)

/** `CA-ON`, `Ontario`, `on ` as `ON`. */
const toProvince = ofText((text) => {
  const plain = text.toLowerCase().replace(/[^\p{L}]/gu, '')
  const code = plain.replace(/^ca(?=..$)/, '').toUpperCase()
  return PROVINCES.get(plain) ?? ([...PROVINCES.values()].includes(code) ? code : undefined)
})

const toPostalCode = ofText((text) => {
  const plain = text.replace(/[^A-Za-z0-9]/g, '').toUpperCase()
  return /^([A-Z]\d){3}$/.test(plain) ? `${plain.slice(0, 3)} ${plain.slice(3)}` : undefined
})

const toPhone: Format = (value) => {
  const digits = digitsOf(value)
  if (/^\d{10}$/.test(digits)) return digits
  return /^1\d{10}$/.test(digits) ? `+${digits}` : undefined
}

const toDate = ofText((text) => {
  const [, year, month, day] = /^(\d{4})[-/.](\d\d?)[-/.](\d\d?)(?:T.*)?$/.exec(text.trim()) ?? []
  if (year && month && day) return `${year}-${pad(month)}-${pad(day)}`
  const [, first, second, last] = /^(\d\d?)[-/.](\d\d?)[-/.](\d{4})$/.exec(text.trim()) ?? []
  if (!first || !second || !last) return undefined
  // A number above 12 is no month; where both could be, the Canadian custom puts the day first.
  const [d, m] = Number(second) > 12 ? [second, first] : [first, second]
  return Number(m) > 12 ? undefined : `${last}-${pad(m)}-${pad(d)}`
})

const pad = (digits: string) => digits.padStart(2, '0')

/** A number loses the zeros in front of a code. */
const toCode: Format = (value) => {
  const digits = digitsOf(value)
  const isWhole = typeof value === 'number' ? Number.isInteger(value) : digits.length === 4
  return isWhole && digits.length <= 4 && digits !== '' ? digits.padStart(4, '0') : undefined
}

/** The digits of a text or a number; an array or an object may not even become a text. */
const digitsOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value).replace(/\D/g, '') : ''

const toEmail = ofText((text) =>
  text.split(/[\s<>"':,;]+/).find((word) => /^[^@]+@[^@]+\.[^@.]{2,}$/.test(word)),
)

const toUrl = ofText((text) => {
  const url = text.trim()
  if (/^http:\/\//i.test(url)) return url.replace(/^http/i, 'https')
  return /^[\w.-]+\.[a-z]{2,}([:/]|$)/i.test(url) ? `https://${url}` : undefined
})

const toWallet = ofText((text) => {
  const wallet = text.trim().replace(/^ethereum:/i, '')
  if (/^0x[0-9a-f]{40}$/i.test(wallet)) return wallet
  return /^[0-9a-f]{40}$/i.test(wallet) ? `0x${wallet}` : undefined
})

/** The quote itself, where its id was asked for. */
const toQuoteId: Format = (value) => {
  if (value === null || typeof value !== 'object') return undefined
  const { quoteId } = value as { quoteId?: unknown }
  return typeof quoteId === 'number' ? quoteId : undefined
}

/** More decimals than are kept. */
const toAmount: Format = (value) =>
  typeof value === 'number' && value > 0 ? Math.round(value * 1e6) / 1e6 : undefined

/** No value that is meant is longer, and some patterns take their time over what is. */
const TEXT_LENGTH_MAX = 1_000

function ofText(format: (text: string) => string | undefined): Format {
  return (value) =>
    typeof value === 'string' && value.length <= TEXT_LENGTH_MAX ? format(value) : undefined
}

/** By the last name in a field's path. */
export const FORMATS: ReadonlyMap<string, Format> = new Map([
  ['code', toCode],
  ['login_code', toCode],
  ['corporate_phone', toPhone],
  ['corporation_email', toEmail],
  ['date_of_incorp', toDate],
  ['dob', toDate],
  ['email', toEmail],
  ['leftSideValue', toAmount],
  ['paytrie_email', toEmail],
  ['phone', toPhone],
  ['postal', toPostalCode],
  ['postalCode', toPostalCode],
  ['province', toProvince],
  ['quoteId', toQuoteId],
  ['url', toUrl],
  ['wallet', toWallet],
])
