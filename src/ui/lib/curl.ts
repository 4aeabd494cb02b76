import { controlPath } from './page.ts'

const shellQuote = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

interface CurlCall {
  method: string
  url: string
  headers?: Readonly<Record<string, string | string[]>>
  body?: string | undefined
}

/** Writes a call as a shell command on several lines, in which `$TOKEN` stays a variable. */
export function toCurl({ method, url, headers = {}, body }: CurlCall): string {
  const quote = (text: string) => (text.includes('$TOKEN') ? `"${text}"` : shellQuote(text))
  const verb = method === 'GET' ? '' : `-X ${method} `
  const lines = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`)
  const data = body === undefined ? [] : [`--data-binary ${shellQuote(body)}`]
  return [`curl -sS ${verb}${shellQuote(url)}`, ...lines, ...data].join(' \\\n  ')
}

/** The command that reads a record of the control API. */
export const curlOf = (path: string): string =>
  toCurl({ method: 'GET', url: location.origin + controlPath(path) })
