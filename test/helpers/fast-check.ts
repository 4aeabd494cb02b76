import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { seed } from './depth.ts'

// A failure prints its own seed and path besides, which repeat it without TEST_SEED.
fc.configureGlobal({ seed: createHash('sha256').update(seed).digest().readInt32BE() })

export * from 'fast-check'
export default fc
