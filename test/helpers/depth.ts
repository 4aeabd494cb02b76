/**
 * `TEST_DEPTH=full`, as in `.ci/run`, also fills a world, packs the package, starts the receivers that
 * are compiled, and runs the commands of the pages.
 */
export const isFullDepth = process.env.TEST_DEPTH === 'full'

/** What all chance in the tests derives from. `TEST_SEED=random` draws another each time. */
export const seed = toSeed(process.env.TEST_SEED)

function toSeed(given = 'ramp'): string {
  return given === 'random' ? Math.random().toString(36).slice(2) : given
}

/** The command that repeats a test; further variables go first. */
export const repeatCommand = (file: string, ...variables: string[]): string =>
  [...variables, `TEST_SEED=${seed}`, `npx vitest run ${file}`].join(' ')
