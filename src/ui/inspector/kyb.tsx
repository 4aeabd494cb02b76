import type { Wire } from '../../control-api/wire.ts'
import { curlOf } from '../lib/curl.ts'
import { List, type ListProps } from '../lib/list.tsx'
import { Card, DetailHead, JsonCard } from '../lib/parts.tsx'

type Submission = Wire['kybSubmissions.list']['response']['items'][number]

export const Kyb = () => <List {...KYB} />

/** A field of the body as it was sent; the contract has texts, dates and a flag. */
const textOf = ({ submission }: Submission, name: string): string => String(submission[name] ?? '')

/** Corporate verifications, which the contract takes in and never answers. */
const KYB: ListProps<'kybSubmissions.list', Submission> = {
  name: 'kyb',
  title: 'KYB submissions',
  noun: 'submission',
  path: '/kyb-submissions',
  isFound: true,
  rowsOf: ({ items }) => items,
  columns: [
    { name: 'Corporation', show: (row) => textOf(row, 'corporation_name') },
    { name: 'Number', show: (row) => textOf(row, 'corporation_number') },
    { name: 'E-mail', kind: 'fill', show: (row) => textOf(row, 'corporation_email') },
    { name: 'Account', isSecond: true, show: (row) => textOf(row, 'paytrie_email') },
    { name: 'Integrator', show: ({ integrator }) => integrator },
  ],
  time: ['Submitted', ({ at }) => at],
  detail: (row) => {
    const { id, integrator, submission, at } = row
    const fields = Object.entries(submission)
    const texts = fields.filter(([, value]) => typeof value !== 'object')
    const others = fields.filter(([, value]) => typeof value === 'object')
    return (
      <>
        <DetailHead
          title={textOf(row, 'corporation_name')}
          at={at}
          id={id}
          noun="submission"
          curl={curlOf(`/kyb-submissions?q=${id}`)}
        />
        <Card
          title="Corporation"
          fields={{
            ...Object.fromEntries(texts.map(([name, value]) => [name, String(value)])),
            Integrator: integrator,
          }}
        />
        <JsonCard title="People, addresses and documents" value={Object.fromEntries(others)} />
      </>
    )
  },
  empty: [
    'No KYB submissions yet.',
    () => (
      <p>
        A corporation is submitted with <code>POST /submitKYB</code>.
      </p>
    ),
  ],
}
