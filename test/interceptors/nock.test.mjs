import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import nock from 'nock'
import { FORMS, startSandbox } from './story.mjs'

after(() => nock.restore())

for (const [form, library] of Object.entries(FORMS)) {
  test(`webhooks of ${form} arrive beside nock, which refuses other hosts`, async () => {
    nock.disableNetConnect()
    nock.enableNetConnect('127.0.0.1')
    const scope = nock('https://hooks.example.com').post('/ramp').reply(202)
    const receiver = await library.createReceiver()
    const near = await startSandbox(library, receiver.url)
    const far = await startSandbox(library, 'https://hooks.example.com/ramp')
    try {
      assert.equal((await near.deliver()).outcome, 'delivered')
      assert.equal(receiver.received.length, 1)
      assert.equal((await far.deliver()).response?.status, 202)
      scope.done()
    } finally {
      nock.enableNetConnect()
      nock.cleanAll()
      await near[Symbol.asyncDispose]()
      await far[Symbol.asyncDispose]()
      await receiver.close()
    }
  })
}
