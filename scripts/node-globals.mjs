// Takes the place of globals in all that is bundled: a library that sets a timer must get the real
// one, too, when a test has put fakes in their place; and where a test environment such as jsdom
// stands for a browser, Node's own belong together.
import { runInThisContext } from 'node:vm'

export { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from 'node:timers'
export { URL, URLSearchParams } from 'node:url'
export { TextDecoder, TextEncoder } from 'node:util'

const node = runInThisContext('globalThis')
export const { AbortController, AbortSignal, structuredClone } = node

// Jest's jsdom has none of these. They stay global, as the server replaces some of them by faster ones.
for (const name of ['fetch', 'Headers', 'Request', 'Response', 'ReadableStream', 'TransformStream'])
  if (!(name in globalThis)) globalThis[name] = node[name]
