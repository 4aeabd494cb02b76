import { signingClock } from '../../webhooks/request.ts'
import { formatHeaders } from '../format.ts'
import { CallForm, Field, TextArea } from '../forms.tsx'
import { Card, PageHead } from '../parts.tsx'
import type { RenderPage, View } from '../view.ts'

interface SignatureFormProps {
  view: View
  id: string
  headers?: Record<string, string>
  body?: string
  secret: string
  /** Wall time in ms. */
  receivedAt?: number
}

/** Asks for what a receiver got and computed; client code shows the explanation in it. */
export const SignatureForm = (props: SignatureFormProps) => {
  const { view, id, headers = {}, body = '', secret, receivedAt } = props
  const isWall = view.world.settings['webhooks.time'] === 'wall'
  const prefix = view.world.settings['names.headerPrefix']
  return (
    <>
      <CallForm
        call="/_sandbox/webhooks/explain"
        shows="explanation"
        class="stack"
        label="Check a signature"
        submit="Check"
        kind="primary"
      >
        <TextArea
          label="Headers as your receiver got them, one per line"
          name="headers"
          data-type="headers"
          rows={4}
          value={formatHeaders(headers)}
          placeholder={`${prefix}-Timestamp: 1751328000\n${prefix}-Signature: v1=…`}
        />
        <TextArea
          label="Body as your receiver got it, before parsing"
          name="body"
          data-type="text"
          rows={6}
          value={body}
        />
        <Field
          label="Secret that your receiver uses"
          name="secret"
          data-type="text"
          value={secret}
        />
        <Field
          label="Signature that your receiver computed, if it prints one"
          name="computed"
          placeholder="v1=…, or the digest in hex or base64"
        />
        <Field
          label="When it arrived"
          name="receivedAt"
          placeholder={`now, or ${new Date(signingClock(view.world, view.services.wallClock())).toISOString()}`}
          value={receivedAt && isWall ? new Date(receivedAt).toISOString() : ''}
        />
      </CallForm>
      <div class="stack explained" id={`explained-${id}`} data-explained data-keep role="status" />
    </>
  )
}

export const checkSignature: RenderPage = (view) => ({
  title: 'Check a signature',
  body: (
    <>
      <PageHead title="Check a signature">
        <p>
          Paste what your receiver got and computed. The result names the difference: another
          secret, a body that was parsed and serialized again, a trimmed line break, base64 instead
          of hex. Nothing is stored.
        </p>
      </PageHead>
      <div class="alone">
        <Card title="Why is my signature wrong?">
          <SignatureForm
            view={view}
            id="any"
            secret={view.world.integrators.find((each) => each.signingSecret)?.signingSecret ?? ''}
          />
        </Card>
      </div>
    </>
  ),
})
