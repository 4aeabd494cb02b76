// A page may not call other origins; happy-dom keeps to that unless it is told otherwise.
const environmentOptions = { happyDOM: { settings: { fetch: { disableSameOriginPolicy: true } } } }

export default {
  test: {
    projects: ['jsdom', 'happy-dom'].flatMap((environment) =>
      ['forks', 'vmThreads'].map((pool) => ({
        test: {
          name: `${environment} in ${pool}`,
          include: ['*.test.js'],
          ...{ environment, pool, environmentOptions },
        },
      })),
    ),
  },
}
