export default {
  test: {
    include: ['*.test.js'],
    // A page may not call other origins; happy-dom keeps to that unless it is told otherwise.
    environmentOptions: { happyDOM: { settings: { fetch: { disableSameOriginPolicy: true } } } },
  },
}
