/** Health and the inspector are answered whatever the disk does: they say what is wrong with it. */
export const STATUS_PATH =
  /^(\/w\/[^/?]*)?\/_sandbox(\/(health|ui\/[^?]*|assets\/[^?]*|events\/stream)?)?(\?|$)/
/** A path below a named world, and the name. */
export const WORLD_PATH = /^\/w\/([A-Za-z0-9][A-Za-z0-9._-]{0,63})(?=\/|\?|$)/

/** Path and query of a request, world and all. */
export function pathOf({ url }: Request): string {
  return url.slice(url.indexOf('/', url.indexOf('://') + 3))
}
