// Each worker gets a world of the sandbox that `ramp-sandbox exec` started, reset for each test.
import { test as base } from '@playwright/test'
import { connectSandbox } from 'ramp-sandbox'
import { startServer } from '../src/server.js'

export const test = base.extend({
  world: [
    async ({}, use, { workerIndex }) => {
      const world = connectSandbox().world(`worker-${workerIndex}`)
      await use(world)
      await world.close()
    },
    { scope: 'worker' },
  ],
  sandbox: async ({ world }, use, { titlePath }) => {
    await world.reset({ clock: 'frozen', seed: titlePath.join(' ') })
    await use(world)
  },
  baseURL: async ({ sandbox }, use) => {
    const server = await startServer({ baseUrl: sandbox.url, apiKey: sandbox.apiKey })
    await use(server.url)
    await server.close()
  },
})
