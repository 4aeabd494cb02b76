import Fastify from 'fastify'
import { isGenuine } from './webhook.js'

const app = Fastify()

app.register(async (webhooks) => {
  // Only inside this plugin: your other routes still get parsed JSON.
  webhooks.removeAllContentTypeParsers()
  webhooks.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request, body) => body)
  webhooks.post('/webhooks', async (request, reply) => {
    if (!isGenuine(request.headers, request.body)) return reply.code(401).send()
    const event = JSON.parse(request.body)
    console.log(event.type, event.payload.status)
    return reply.code(204).send()
  })
})

await app.listen({ port: process.env.PORT ?? 3000 })
