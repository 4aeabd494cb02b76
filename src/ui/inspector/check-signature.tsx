import { useState } from 'preact/hooks'
import type { DeliveryRecord, SignatureExplanation } from '../../control-api/wire.ts'
import { ApiError, control } from '../lib/api.ts'
import { toCurl } from '../lib/curl.ts'
import { Field, Form } from '../lib/form.tsx'
import { formatHeaders } from '../lib/format.ts'
import { useRead } from '../lib/live.ts'
import { controlPath } from '../lib/page.ts'
import { Card, Copy, PageHead } from '../lib/parts.tsx'
import { query, urlOf } from '../lib/router.ts'
import { toast } from '../lib/toast.tsx'
import { info } from './info.ts'
import { Validity } from './words.tsx'

/** Says why a receiver finds another signature; it may begin with a delivery. */
export const CheckSignature = () => {
  const id = query.value.get('id')
  const path = id ? `/webhooks/deliveries/${encodeURIComponent(id)}` : undefined
  const { data: delivery, error } = useRead<'webhooks.delivery'>(path)
  const settings = useRead<'webhooks.settings'>('/webhooks/settings').data
  const isRead = settings !== undefined && (!id || delivery !== undefined || error !== undefined)
  const owned = settings?.integrators.find((each) => each.integrator === delivery?.integrator)
  const signing = owned ?? settings?.integrators.find((each) => each.signingSecret)
  return (
    <>
      <PageHead title="Check a signature">
        <p>
          Paste what your receiver received and computed. The result names the difference: a
          different secret, a body that was parsed and serialised again, a trimmed line break,
          base64 instead of hex. Nothing is stored.
        </p>
      </PageHead>
      <div class="alone">
        <Card title="Why is my signature wrong?">
          {isRead && (
            <SignatureForm key={id} delivery={delivery} secret={signing?.signingSecret ?? ''} />
          )}
        </Card>
      </div>
    </>
  )
}

interface SignatureFormProps {
  delivery: DeliveryRecord | undefined
  secret: string
}

const PATH = controlPath('/webhooks/explain')
const CALL = { method: 'POST', headers: { 'content-type': 'application/json' } }

const SignatureForm = ({ delivery, secret }: SignatureFormProps) => {
  const [found, setFound] = useState<SignatureExplanation & { curl: string }>()
  const isWall = useRead<'settings.get'>('/settings/webhooks.time').data?.value === 'wall'
  const explain = async ({ headers, ...fields }: Record<string, unknown>) => {
    // Where a receiver compares with world time, the present of the world counts.
    const receivedAt = isWall ? delivery?.sentAt : undefined
    const asked = {
      ...(receivedAt && { receivedAt }),
      headers: readHeaders(String(headers)),
      ...fields,
    }
    const curl = toCurl({ ...CALL, url: `${location.origin}${PATH}`, body: JSON.stringify(asked) })
    try {
      setFound({ ...(await control<SignatureExplanation>('POST', PATH, asked)), curl })
      return []
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setFound(undefined)
      if (error.problems.length === 0) toast({ text: error.message, ok: false, curl })
      return error.problems
    }
  }
  return (
    <>
      <Form class="stack" label="Check a signature" submit="Check" kind="primary" onSend={explain}>
        <SignatureFields delivery={delivery} secret={secret} />
      </Form>
      <div class="stack explained" role="status">
        {found && <Explanation of={found} curl={found.curl} />}
      </div>
    </>
  )
}

/** Reads lines such as `Name: value`. */
const readHeaders = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^([^:\n]+):(.*)$/gm)].map(([, name = '', value = '']) => [
      name.trim(),
      value.trim(),
    ]),
  )

const SignatureFields = ({ delivery, secret }: SignatureFormProps) => {
  const { timestampHeader = '', signatureHeader = '' } = info.value?.names ?? {}
  return (
    <>
      <Field
        label="Headers as your receiver got them, one per line"
        name="headers"
        rows={4}
        value={formatHeaders(delivery?.request.headers ?? {})}
        placeholder={`${timestampHeader}: 1751328000\n${signatureHeader}: v1=…`}
      />
      <Field
        label="Body as your receiver got it, before parsing"
        name="body"
        rows={6}
        value={delivery?.request.body ?? ''}
      />
      <Field label="Secret that your receiver uses" name="secret" value={secret} />
      <Field
        label="Signature that your receiver computed, if it prints one"
        name="computed"
        placeholder="v1=…, or the digest in hex or base64"
      />
      <Field
        label="When it arrived"
        name="receivedAt"
        placeholder={`${delivery ? 'when it was sent' : 'now'}, or 2026-07-01T12:00:00Z`}
      />
    </>
  )
}

const Explanation = ({ of: found, curl }: { of: SignatureExplanation; curl: string }) => (
  <>
    <div class="row">
      <Validity of={found} />
      {found.deliveryId && (
        <a href={urlOf(`webhooks/${found.deliveryId}`)}>{`This is ${found.deliveryId}`}</a>
      )}
      <Copy text={curl} what="this check" label="Copy curl" />
    </div>
    <p class="said">{found.text}</p>
    <p class="quiet">
      {`With this secret, body and timestamp (${found.expected.timestamp}) the signature is `}
      <code>{found.expected.signature}</code>
    </p>
  </>
)
