// Makes the same random calls to two builds and prints each kind of difference once:
//   npm run compare-builds -- BEFORE AFTER [--seed S] [--calls N] [--seconds N] [--round N]
//     [--only PATTERN] [--named FILE] [--settings FILE] [--set ID=VALUE …] [--contract-only]
// BEFORE and AFTER are folders with a dist/. Calls are made in rounds, each in a world that starts
// anew; --round plays one and prints its calls. Operations, fields and settings that only one build
// has are differences and are not called. With --contract-only, webhooks arrive only with
// --set webhooks.url=loopback-http. FILE names the differences that are meant. Each field is a
// pattern, in which * stands for any text, or a list of which any may fit; `before` and `after` may
// be given, too, and `call`, a regular expression to be found in the call:
//   [{ "operation": "createUser", "difference": "body.errors[].message", "reason": "…" }]
// Exit code: 0 if nothing else differs, 1 if something does, 2 if it could not be compared.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Build } from './compare-builds/build.mjs'
import { Report, toPattern } from './compare-builds/report.mjs'
import { Round } from './compare-builds/round.mjs'
import { findShared } from './compare-builds/shared.mjs'

const OPTIONS = {
  seed: { type: 'string', default: '1' },
  calls: { type: 'string', default: '4000' },
  seconds: { type: 'string', default: '600' },
  round: { type: 'string' },
  only: { type: 'string', default: '*' },
  named: { type: 'string', default: join(import.meta.dirname, 'compare-builds/named.json') },
  settings: { type: 'string', multiple: true, default: [] },
  set: { type: 'string', multiple: true, default: [] },
  'contract-only': { type: 'boolean', default: false },
}
const builds = []
try {
  process.exitCode = await compare()
} catch (error) {
  console.error(error)
  process.exitCode = 2
} finally {
  await Promise.all(builds.map((build) => build.stop()))
}

async function compare() {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true })
  if (positionals.length !== 2)
    throw new Error('Two folders with a dist/ are needed: BEFORE AFTER.')
  const report = new Report({
    again: `--seed ${values.seed}`,
    only: toPattern(values.only),
    named: readNamed(values.named),
  })
  builds.push(new Build('before', positionals[0]), new Build('after', positionals[1]))
  const [before, after] = builds
  const startedAt = performance.now()
  const secondsGone = () => (performance.now() - startedAt) / 1000
  await Promise.all(builds.map((build) => build.start(toStartOptions(values))))
  const shared = await findShared({ before, after, report })
  for (const operation of shared.operations.values()) {
    operation.isSought = values.only !== '*' && report.only.test(operation.id)
  }
  const { seed } = values
  const isShown = values.round !== undefined
  let round = Number(values.round ?? 0)
  do {
    await new Round({ before, after, report, shared, round, seed, isShown }).play()
    round += 1
  } while (
    !isShown &&
    report.calls < Number(values.calls) &&
    secondsGone() < Number(values.seconds)
  )
  const kinds = report.print(shared.operations, secondsGone())
  return kinds > 0 ? 1 : 0
}

/** Both start with the same ones. */
function toStartOptions({ seed, set, settings, 'contract-only': isStrict }) {
  return [
    ...['--seed', seed],
    ...settings.flatMap((file) => ['--settings', file]),
    ...set.flatMap((setting) => ['--set', setting]),
    ...(isStrict ? ['--contract-only'] : []),
  ]
}

function readNamed(file) {
  const named = JSON.parse(readFileSync(file, 'utf8'))
  const wrong = named.find(
    ({ operation, difference, reason }) => !operation || !difference || !reason,
  )
  if (wrong)
    throw new Error(
      `${file}: operation, difference and reason are needed: ${JSON.stringify(wrong)}`,
    )
  return named
}
