/**
 * The classes of `fetch` in the bundle, where they take the place of the globals. Each loads Node's
 * own on first use, because that takes a fifth of a start: the server's library names all three when
 * it is imported, but plain calls need none of them.
 */
export const Headers = createLate<typeof globalThis.Headers>('Headers')
export let Request = createLate<typeof globalThis.Request>('Request')
export let Response = createLate<typeof globalThis.Response>('Response')

/** Takes a faster class of the server, which is made from one of these. */
export function replaceFetchClass(faster: typeof Request | typeof Response): void {
  if (faster.prototype instanceof Request) Request = faster as typeof Request
  else Response = faster as typeof Response
}

type Native = new (...args: never[]) => object

function createLate<Class extends Native>(name: 'Headers' | 'Request' | 'Response'): Class {
  let native: Native | undefined

  function Late(...args: never[]): object {
    native ??= extendNative()
    return Reflect.construct(native, args, new.target === Late ? native : new.target)
  }

  function extendNative(): Native {
    const loaded: Native = globalThis[name]
    Object.setPrototypeOf(Late, loaded)
    Object.setPrototypeOf(Late.prototype, loaded.prototype)
    return loaded
  }

  /** Also for objects that Node creates itself, such as the headers of a request. */
  function isInstance(this: unknown, value: unknown): boolean {
    if (Function.prototype[Symbol.hasInstance].call(this, value)) return true
    if (this !== Late || Object.prototype.toString.call(value) !== `[object ${name}]`) return false
    native ??= extendNative()
    return value instanceof native
  }

  Object.defineProperty(Late, 'name', { value: name })
  Object.defineProperty(Late, Symbol.hasInstance, { value: isInstance })
  return Late as unknown as Class
}
