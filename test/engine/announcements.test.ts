import { expect, it } from 'vitest'
import { type Announcement, Announcements } from '../../src/engine/announcements.ts'

/** Every third position is one of something that is not announced. */
const announce = (number: number): Announcement => ({
  pos: number + Math.floor(number / 2),
  kind: number % 2 === 0 ? 'request' : 'event',
  of: number,
})

// Over HTTP it takes seconds to announce so many.
it.each([10, 20_000, 20_007])(
  'the announcements that a reader can catch up on are the newest 20,000 of %i',
  (count) => {
    const announcements = new Announcements()
    const all = Array.from({ length: count }, (_, i) => announce(i + 1))
    for (const each of all) announcements.push(each)
    const kept = all.slice(-20_000)
    const [oldest, newest] = [kept[0]?.pos ?? 0, kept.at(-1)?.pos ?? 0]
    for (const pos of [0, oldest - 1, oldest, oldest + 1, newest - 2, newest - 1, newest]) {
      const after = kept.filter((each) => each.pos > pos)
      expect(announcements.after(pos)).toEqual(after)
      expect(announcements.after(pos, 3)).toEqual(after.slice(0, 3))
    }
    expect(announcements.hasForgotten(0)).toBe(count > kept.length)
    expect(announcements.hasForgotten(oldest - 1)).toBe(false)
  },
)
