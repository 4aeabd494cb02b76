/** What options must be, on the command line and in the library. */

export const PORT_MAX = 65_535
export const PORT_HELP = `a whole number from 0 (any free one) to ${PORT_MAX}`
export const BASE_URL_HELP = 'a base URL such as https://api.example.com'
export const WEBHOOK_URL_HELP = 'an http or https URL such as http://localhost:3000/hooks'
export const TOKEN_HELP = 'printable ASCII without spaces, so that it fits in a header'

export const isToken = (text: string): boolean => /^[\x21-\x7e]+$/.test(text)

export const isWebUrl = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text)

/** Returns true for the base URL of a service: without a query, a user name or a password. */
export const isBaseUrl = (text: string): boolean =>
  isWebUrl(text) && !/[\s?#]|\/\/[^/]*@/.test(text)
