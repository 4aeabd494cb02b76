import type { Child } from 'hono/jsx'
import { type Delivery, requestOf } from '../../webhooks/delivery.ts'
import { formatInstant, formatJson, formatTook } from '../format.ts'
import { Badge, Card, linkTo, shortStatus, Table, Time, UndoneTag } from '../parts.tsx'
import { keptQuery } from '../split.tsx'
import { DeliveryTags, tagsOf, toneOf } from '../timeline/entry-list.tsx'
import type { View } from '../view.ts'

/** Every attempt to deliver an event, the current one beside any other that is chosen. */
export function showAttempts(view: View, eventKey: string, current?: Delivery): Child {
  const attempts = view.attemptsOf(eventKey)
  const other = attempts.find(({ id }) => id === view.query.get('with'))
  return (
    <>
      <Card title="Attempts">
        <Table
          label="Attempts"
          head={['Delivery', 'Outcome', 'Response', 'Sent (real time)', 'To', '']}
          rows={attempts.map((row) => [
            [
              row === current ? 'this one' : linkTo(view, `webhooks/${row.id}`, row.id),
              ' ',
              <UndoneTag row={row} />,
              <DeliveryTags delivery={row} />,
            ],
            <Badge status={row.outcome} tone={toneOf(row)} />,
            String(row.response?.status ?? row.error ?? row.reason ?? ''),
            row.sent ? <Time at={row.sent.at} /> : 'not sent',
            row.url ?? '',
            current && row !== current && linkToCompare(view, current, row),
          ])}
        />
      </Card>
      {current && other && other !== current && showBoth(view, current, other)}
    </>
  )
}

function linkToCompare(view: View, current: Delivery, { id }: Delivery): Child {
  const query = { ...keptQuery(view), with: id }
  return (
    <a href={view.page(`webhooks/${current.id}`, query)} aria-label={`Compare with ${id}`}>
      Compare
    </a>
  )
}

/** Two attempts side by side; whatever differs is marked. */
function showBoth(view: View, one: Delivery, other: Delivery): Child {
  const pairs = pairUp(factsOf(one), factsOf(other))
  const bodies = [one, other].map((row) => requestOf(row).body)
  const responses = [one, other].map((row) => row.response?.body ?? '')
  return (
    <Card
      title={`${one.id} beside ${other.id}`}
      id="beside"
      aside={<a href={view.page(`webhooks/${one.id}`, keptQuery(view))}>Close</a>}
    >
      <Table
        label="Attempts side by side"
        head={['Field', one.id, other.id]}
        rows={pairs.map(([name, ...values]) => [
          <b>{name}</b>,
          ...values.map((value) =>
            value !== '' && values[0] !== values[1] ? <mark>{value}</mark> : value,
          ),
        ])}
      />
      {showTexts('Request body', bodies)}
      {showTexts('Response body', responses)}
    </Card>
  )
}

type Facts = Record<string, string>

function factsOf(delivery: Delivery): Facts {
  const { outcome, response, url, sent, error, reason } = delivery
  const { headers } = requestOf(delivery)
  return {
    Kind: tagsOf(delivery).join(', '),
    Outcome: shortStatus(outcome),
    Response: response ? `${response.status} ${response.statusText}`.trim() : (error ?? ''),
    Duration: formatTook(delivery),
    'Sent (real time)': sent ? formatInstant(sent.at) : 'not sent',
    To: url ?? '',
    Note: reason ?? '',
    ...inLowerCase('', headers),
    ...inLowerCase('Response: ', response?.headers ?? {}),
  }
}

const inLowerCase = (before: string, headers: Readonly<Record<string, string | string[]>>): Facts =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      `${before}${name.toLowerCase()}`,
      String(value),
    ]),
  )

function pairUp(one: Facts, other: Facts): [name: string, string, string][] {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  return names
    .map((name): [string, string, string] => [name, one[name] ?? '', other[name] ?? ''])
    .filter(([, ...values]) => values.some((value) => value !== ''))
}

/** Two texts line by line. Lines that only one of them has are marked. */
function showTexts(title: string, texts: readonly string[]): Child {
  const [one = '', other = ''] = texts
  if (one === '' && other === '') return null
  if (one === other) return <p class="quiet">{`${title}: the same bytes.`}</p>
  const shown = texts.map(formatJson)
  // Where only the white space differs, indenting would hide it.
  const [left = '', right = ''] = shown[0] === shown[1] ? texts : shown
  return (
    <section class="texts" aria-label={`${title}, side by side`}>
      <h3>{title}</h3>
      {markLines(left, right)}
      {markLines(right, left)}
    </section>
  )
}

function markLines(text: string, other: string): Child {
  const known = new Set(other.split('\n'))
  return (
    <pre>
      {text.split('\n').map((line) => [known.has(line) ? line : <mark>{line}</mark>, '\n'])}
    </pre>
  )
}
