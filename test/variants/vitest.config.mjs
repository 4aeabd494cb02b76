export default { test: { include: ['vitest.test.mjs'], pool: 'forks' } }
