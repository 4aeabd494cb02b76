import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compactBesideCalls, fill, killAll } from '../../big/data-file.mjs'

const STATE_BYTES = 200e6

/** What a call waits for at most while all that is kept on disk is written anew. */
export const compaction = {
  name: 'the slowest of all calls while 200 MB are compacted',
  unit: 'ms',
  aim: { under: 250 },
  async measure({ rounds }) {
    const folder = await mkdtemp(join(tmpdir(), 'ramp-sandbox-compaction-'))
    try {
      const measured = []
      for (let round = 0; round < rounds; round++) {
        const file = join(folder, String(round))
        await fill(file, STATE_BYTES)
        const { slowestMs } = await compactBesideCalls(file)
        measured.push({ ours: slowestMs })
        rmSync(file)
      }
      return measured
    } finally {
      killAll()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
