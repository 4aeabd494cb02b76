import { onTestFinished, vi } from 'vitest'
import { realTime } from '../../src/real-time.ts'

type Timer = 'setTimeout' | 'clearTimeout' | 'setInterval' | 'clearInterval'

/** Until the test ends, also the sandbox has fake timers, though it keeps to real ones. */
export function fakeSandboxTimers(...names: Timer[]): void {
  vi.useFakeTimers({ toFake: names })
  const spies = names.map((name) => {
    const fake = (...args: unknown[]) => Reflect.apply(globalThis[name], globalThis, args)
    return vi.spyOn(realTime, name).mockImplementation(fake)
  })
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore()
    vi.useRealTimers()
  })
}
