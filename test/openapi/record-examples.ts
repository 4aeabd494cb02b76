import type { Example } from '../../src/http/openapi/examples.ts'
import type { Checker } from './checker.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { playControl } from './story-control.ts'
import { playV1 } from './story-v1.ts'
import { playV2 } from './story-v2.ts'
import { playWebhooks } from './story-webhooks.ts'

/** The build writes the schema of fixtures beside the examples. */
export { toFixtureJsonSchema } from '../../src/fixture/schema.ts'

/** Calls every operation in every documented way. The build needs no checkers, the test does. */
export async function recordStories(contract?: Checker, control?: Checker): Promise<Recorder> {
  const recorder = createRecorder(contract && control && [contract, control])
  await playV2(recorder)
  await playV1(recorder)
  await playControl(recorder)
  await playWebhooks(recorder, contract)
  return recorder
}

/** The examples of the OpenAPI documents, by operation. `scripts/build.mjs` writes them to dist. */
export async function recordExamples(): Promise<Record<string, Example>> {
  const { examples } = await recordStories()
  return Object.fromEntries([...examples].sort())
}
