import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Where in a scenario an error comes from, as `buy-completes.js:12`; if nowhere, `otherwise`. */
export function locate(error: unknown, file: string, otherwise = basename(file)): string {
  const line = findLine(error, file)
  return line === undefined ? otherwise : `${basename(file)}:${line}`
}

export function findLine(error: unknown, file: string): string | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const place = [pathToFileURL(file).href, file].find((name) => stack.includes(`${name}:`))
  if (place === undefined) return undefined
  return /^:(\d+)/.exec(stack.slice(stack.indexOf(`${place}:`) + place.length))?.[1]
}

export const locateCaller = (file: string): string => locate(new Error(), file)
