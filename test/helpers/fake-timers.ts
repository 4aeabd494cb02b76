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

/** Until the test ends, each pause of the sandbox lasts until `end`; `lengths` are what was asked for, in ms. */
export function holdPauses() {
  const lengths: (number | undefined)[] = []
  const ends: (() => void)[] = []
  const spy = vi.spyOn(realTime, 'pause').mockImplementation((ms, value) => {
    lengths.push(ms)
    return new Promise((resolve) => ends.push(() => resolve(value as never)))
  })
  onTestFinished(() => spy.mockRestore())
  return {
    lengths,
    end() {
      for (const end of ends.splice(0)) end()
    },
  }
}
