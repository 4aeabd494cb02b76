import { createHmac } from 'node:crypto'
import type { WorldEvent } from '../../src/world/state.ts'
import { WALL } from './app.ts'
import { type Check, type Post, REPLACING } from './scene.ts'

/** Each event reached its integrator once, in order and signed, where there is a destination. */
export const deliveries: Check = ({ before, after, step, received, answer }) => {
  if (REPLACING.has(step.action)) return received.map(() => 'a reset sent webhooks')
  const fresh = after.events.filter(({ cursor }) => cursor > before.eventCount)
  const isTest = step.action === 'testWebhookConfiguration' && answer.status === 200
  return after.integrators.flatMap(({ name, apiKey, webhook, signingSecret }) => {
    const posts = received.filter(({ integrator }) => integrator === name)
    const expected = webhook ? fresh.filter(({ integrator }) => integrator === name) : []
    const wrong = posts.filter((post) => post.signature !== sign(post, signingSecret ?? ''))
    const found = wrong.map(({ body }) => `${name} received an unsigned ${body}`)
    if (isTest && step.key === apiKey) {
      return posts.length === 1 ? found : [...found, `${posts.length} test events arrived`]
    }
    const [sent, actual] = [
      expected.map(envelope).join('\n'),
      posts.map(({ body }) => body).join('\n'),
    ]
    return sent === actual ? found : [...found, `${name} received\n${actual}\nexpected\n${sent}`]
  })
}

const sign = ({ body }: Post, secret: string) => {
  const digest = createHmac('sha256', secret).update(`${Math.floor(WALL / 1000)}.${body}`)
  return `v1=${digest.digest('hex')}`
}

function envelope({ id, at, type, payload }: WorldEvent): string {
  const occurredAt = new Date(at).toISOString()
  return JSON.stringify({ id, apiVersion: 'v2', occurredAt, type, payload })
}
