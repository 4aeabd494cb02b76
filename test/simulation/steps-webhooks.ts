import type { Step } from './scene.ts'
import { keyOf, type Make } from './view.ts'

const PATH = '/v2/webhook-configurations'

/** Sets, reads, tests and deletes where events go, in lives that have a receiver. */
export const configureWebhooks: Make = (view) => {
  const { dice, state, receiver } = view
  const integrator = dice.find(state.integrators)
  if (!integrator || receiver === undefined) return undefined
  const key = keyOf(view, integrator)
  const put = (url: string, broken?: string): Step => ({
    action: 'putWebhookConfiguration',
    method: 'PUT',
    path: PATH,
    key,
    body: { url },
    broken,
  })
  const url = `${receiver}/${integrator.name}`
  return dice.pick<Step>([
    put(url),
    put(url),
    put(url),
    put('http://10.0.0.1/', 'private address'),
    { action: 'getWebhookConfiguration', method: 'GET', path: PATH, key },
    { action: 'deleteWebhookConfiguration', method: 'DELETE', path: PATH, key },
    { action: 'testWebhookConfiguration', method: 'POST', path: `${PATH}/test`, key },
    {
      action: 'rotateSigningSecret',
      method: 'POST',
      path: `${PATH}/signing-secret/rotate`,
      key,
    },
  ])
}
