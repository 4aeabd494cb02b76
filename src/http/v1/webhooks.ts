import * as z from 'zod'
import { named } from '../../control-api/schema.ts'
import { assertNoProblems, DomainError, type Problem } from '../../world/domain-error.ts'
import { makeSigningSecret, patchLegacyWebhooks } from '../../world/integrators.ts'
import { allLegacyWebhooks, LEGACY_HOOKS, LegacyWebhooks } from '../../world/state.ts'
import { requireApiKey } from '../auth.ts'
import { assertWebhookUrl } from '../contract.ts'
import { noteHttp } from '../notes.ts'
import type { Services } from '../services.ts'
import { SuccessStatus } from '../unversioned.ts'
import { operation } from './dialect.ts'

const Configuration = () => named('V1Webhooks', LegacyWebhooks().shape)
const PatchWebhooks = () => z.object(LegacyWebhooks().shape).partial()
type PatchRequest = z.infer<ReturnType<typeof PatchWebhooks>>

export const webhooks = [
  operation('GET', '/webhooks', {
    id: 'v1GetWebhooks',
    summary: 'Read which legacy webhooks are on, and where they go (v1)',
    about:
      'Reads which legacy webhooks are on and where they go. They are sent alongside v2 webhooks until all four are switched off.',
    success: 'The four switches and URLs.',
    successor: 'GET /v2/webhook-configurations',
    auth: requireApiKey,
    response: Configuration,
    handle: ({ who }) => who.integrator.legacyWebhooks ?? allLegacyWebhooks(),
  }),
  operation('PATCH', '/webhooks', {
    id: 'v1PatchWebhooks',
    summary: 'Switch legacy webhooks on and off (v1)',
    about:
      'Changes the switches and URLs that are sent; the others stay. A webhook is sent while it is switched on and has a URL: its own or, if it has none, the only URL of the four. They are unsigned until `v1MakeSigningSecret` creates a secret.',
    success: 'The four switches and URLs as they are now.',
    successor: 'PUT or DELETE /v2/webhook-configurations',
    auth: requireApiKey,
    checksUnknownFields: true,
    body: PatchWebhooks,
    response: Configuration,
    handle(call) {
      const { world, services, input, assume } = call
      const { integrator } = call.who
      assertUrls(services, input.body)
      noteHttp(
        call,
        LEGACY_HOOKS.map((hook) => input.body[`${hook}Url`] ?? ''),
      )
      const patched = patchLegacyWebhooks(world, integrator, input.body)
      const isAnyOn = LEGACY_HOOKS.some((hook) => patched[`${hook}Enabled`])
      if (isAnyOn && integrator.signingSecret === null) {
        assume('webhooks.withoutSecret')
        const isSent = world.settings['webhooks.withoutSecret'] === 'unsigned'
        call.record.note(`${isSent ? UNSIGNED : UNSENT} POST /webhook-signing-secret creates one.`)
      }
      return patched
    },
  }),
  operation('POST', '/webhook-signing-secret', {
    id: 'v1MakeSigningSecret',
    summary: 'Generate or rotate the signing secret (v1)',
    about:
      'Creates or replaces the signing secret for webhooks. The same secret signs v2 webhooks, so give the new one to every receiver at once.',
    success: 'The new secret, which is not shown again.',
    successor: 'POST /v2/webhook-configurations/signing-secret/rotate',
    auth: requireApiKey,
    response: () =>
      z.strictObject({
        status: SuccessStatus(),
        signingSecret: z
          .string()
          .describe('Key for webhook signatures: use the whole string. It is shown only once.'),
      }),
    handle({ world, who }) {
      const signingSecret = makeSigningSecret(world, who.integrator)
      return { status: 'success', signingSecret } as const
    },
  }),
]

const UNSIGNED =
  'There is no signing secret yet to sign these webhooks with, so they go out unsigned.'
const UNSENT = 'There is no signing secret yet to sign these webhooks with, so they are not sent.'

/** Each URL follows the rules of v2's; an empty text removes it. */
function assertUrls(services: Services, sent: PatchRequest): void {
  const problems: Problem[] = []
  let hint: string | undefined
  for (const hook of LEGACY_HOOKS) {
    const field = `${hook}Url` as const
    const url = sent[field]
    if (!url) continue
    try {
      assertWebhookUrl(services, url)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      problems.push({ field, message: error.message.replace(/^url\b/, field) })
      hint ??= error.detail.hint
    }
  }
  assertNoProblems(problems, { hint })
}
