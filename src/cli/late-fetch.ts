type Name = 'Headers' | 'Request' | 'Response'
type FetchClass = typeof Headers | typeof Request | typeof Response

/**
 * Replaces the global `Headers`, `Request` and `Response` with classes that load Node's own on
 * first use. Loading those takes a tenth of a start on Node 20. The server's library names all
 * three when it is imported, but plain calls need none of them.
 */
export function loadFetchClassesLate(): void {
  for (const name of ['Headers', 'Request', 'Response'] as const) {
    const get = Object.getOwnPropertyDescriptor(globalThis, name)?.get
    // Newer versions have loaded them already.
    if (get) defineLate(name, () => loadAside(name, get))
  }
}

/** Node overwrites the global with the class it loads, so the server's faster class is put back. */
function loadAside(name: Name, load: () => FetchClass): FetchClass {
  const own = Object.getOwnPropertyDescriptor(globalThis, name)
  const loaded = load.call(globalThis)
  if (own) Object.defineProperty(globalThis, name, own)
  return loaded
}

function defineLate(name: Name, load: () => FetchClass): void {
  let native: FetchClass | undefined

  function Late(...args: unknown[]): object {
    native ??= extendNative()
    return Reflect.construct(native, args, new.target ?? native)
  }

  function extendNative(): FetchClass {
    const loaded = load()
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
  Object.defineProperty(globalThis, name, { value: Late, writable: true, configurable: true })
}
