type Name = 'Headers' | 'Request' | 'Response'
type Native = new (...args: never[]) => object

/**
 * Stands for the global object in the server's library, and for the global classes of `fetch` in all
 * that is bundled (`scripts/rolldown.config.mjs`). Each class loads Node's own on first use, because that
 * takes a fifth of a start: the library names all three when it is imported, but plain calls need
 * none of them. What the library puts in place of the globals replaces these, and no others.
 */
export const fetchClasses = {
  Headers: createLate<typeof Headers>('Headers'),
  Request: createLate<typeof Request>('Request'),
  Response: createLate<typeof Response>('Response'),
}

function createLate<Class extends Native>(name: Name): Class {
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
