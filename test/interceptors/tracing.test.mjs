import assert from 'node:assert/strict'
import diagnostics from 'node:diagnostics_channel'
import { test } from 'node:test'
import { FORMS, startSandbox } from './story.mjs'

for (const [form, library] of Object.entries(FORMS)) {
  test(`a trace of ${form} names the host, the port and the path of a webhook`, async () => {
    const hosts = []
    const onStart = ({ request }) =>
      hosts.push(`${request.host} ${request.getHeader('host')}${request.path}`)
    diagnostics.subscribe('http.client.request.start', onStart)
    const receiver = await library.createReceiver()
    const sandbox = await startSandbox(library, `${receiver.url}/hook?a=b`)
    try {
      await sandbox.deliver()
      const { host } = new URL(receiver.url)
      assert.deepEqual(hosts, [`127.0.0.1 ${host}/hook?a=b`])
    } finally {
      diagnostics.unsubscribe('http.client.request.start', onStart)
      await sandbox[Symbol.asyncDispose]()
      await receiver.close()
    }
  })
}
