import { controlPath } from '../lib/page.ts'
import { Card, Code, Fields, Id, Quiet, Ticked } from '../lib/parts.tsx'
import { urlOf } from '../lib/router.ts'
import { info, storage } from './info.ts'
import { firstCurl } from './requests.tsx'

/** Addresses and keys of this world, with three steps for an empty one. */
export const Start = () => {
  if (!info.value) return null
  const { baseUrl, integrators, fixture, seed, counts } = info.value
  const keys = integrators.map(({ name, apiKey, actsWithoutToken }) => [
    `API key, ${name}`,
    <span key={name}>
      <Id id={apiKey} what={`the API key of ${name}`} />
      <Quiet text={actsWithoutToken && ' may act without a token'} />
    </span>,
  ])
  const facts = {
    'Base URL': <Id id={baseUrl} what="the base URL" />,
    ...Object.fromEntries(keys),
    Reference: <a href={urlOf('reference')}>Every call, with a form to try it</a>,
    Fixture: `${fixture}, seed ${seed}`,
    '--data': storage.value && (storage.value.reason ?? 'All changes are saved'),
  }
  const line = [baseUrl, integrators[0]?.apiKey, facts['--data']].filter(Boolean).join(' · ')
  if (counts.users > 0) {
    return (
      <details class="custom this-world pairs" id="this-world">
        <summary>
          This world <Quiet text={line} />
        </summary>
        <Fields rows={facts} />
      </details>
    )
  }
  return (
    <Card title="Get started" class="pairs" fields={facts}>
      <p>
        This world is empty. Make a first call in three steps, or watch the{' '}
        <a href={controlPath('/demo')}>demo wallet</a> do it all in its own world.
      </p>
      <ol class="steps stack">
        <li>
          <Ticked text="Send the API key in the `x-api-key` header of each call." />
        </li>
        <li>
          <a href={urlOf('webhooks')}>Set the webhook URL</a> for your app, or run{' '}
          <code>ramp-sandbox listen</code>.
        </li>
        <li>
          Make a first call:
          <Code text={firstCurl()} what="a first call as curl" />
        </li>
      </ol>
    </Card>
  )
}
