import type { Wire } from '../../control-api/wire.ts'
import { curlOf } from '../lib/curl.ts'
import { List } from '../lib/list.tsx'
import { useRead } from '../lib/live.ts'
import { Card, DetailHead, JsonCard } from '../lib/parts.tsx'
import { useTitle } from '../lib/title.ts'
import { Gone } from './gone.tsx'

type Submission = Wire['kybSubmissions.list']['response']['items'][number]

/** A field of the body as it was sent; the contract has texts, dates and a flag. */
const textOf = ({ submission }: Submission, name: string): string => {
  const value = submission[name]
  return value === undefined ? '' : String(value)
}

/** Corporate verifications, which the contract takes in and never answers. */
export const Kyb = () => (
  <List<'kybSubmissions.list', Submission>
    name="kyb"
    title="KYB submissions"
    noun="submission"
    path="/kyb-submissions"
    rowsOf={({ items }) => items}
    columns={[
      { name: 'Corporation', show: (row) => textOf(row, 'corporation_name') },
      { name: 'Number', show: (row) => textOf(row, 'corporation_number') },
      { name: 'E-mail', kind: 'fill', show: (row) => textOf(row, 'corporation_email') },
      { name: 'Account', isSecond: true, show: (row) => textOf(row, 'paytrie_email') },
      { name: 'Integrator', show: ({ integrator }) => integrator },
    ]}
    time={{ name: 'Submitted', of: ({ at }) => at }}
    detail={(id, row) => <SubmissionOf id={id} row={row} />}
    empty={{
      title: 'No KYB submissions yet.',
      body: () => (
        <p>
          A corporation is submitted with <code>POST /submitKYB</code>.
        </p>
      ),
    }}
  />
)

const SubmissionOf = ({ id, row }: { id: string; row: Submission | undefined }) => {
  const path = `/kyb-submissions?q=${encodeURIComponent(id)}`
  const { data } = useRead<'kybSubmissions.list'>(row ? undefined : path)
  const found = row ?? data?.items.find((submission) => submission.id === id)
  useTitle(found && `KYB ${textOf(found, 'corporation_name')}`)
  if (!found) return data ? <Gone text={`There is no KYB submission ${id}.`} /> : null
  const { integrator, submission, at } = found
  const fields = Object.entries(submission)
  const isText = ([, value]: [string, unknown]) => typeof value !== 'object'
  const texts = fields.filter(isText).map(([name, value]) => [name, String(value)])
  const others = fields.filter((field) => !isText(field))
  return (
    <>
      <DetailHead
        title={textOf(found, 'corporation_name')}
        at={at}
        id={id}
        noun="submission"
        curl={curlOf(path)}
      />
      <Card
        title="Corporation"
        fields={{
          ...Object.fromEntries(texts),
          Integrator: integrator,
        }}
      />
      <JsonCard title="People, addresses and documents" value={Object.fromEntries(others)} />
    </>
  )
}
