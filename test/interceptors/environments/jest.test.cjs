const { EXPECTED, useSandbox } = require('./page.cjs')

test('controls a sandbox', async () => {
  expect(await useSandbox(require('../../../dist/index.cjs'))).toEqual(EXPECTED)
})
