import { writeFileSync } from 'node:fs'
import { it } from 'vitest'
import { formatReport } from '../../src/calibrate/report.ts'
import { measure } from './measure.ts'
import { STRANGER_CHOICES } from './providers/stranger-choices.ts'
import { createStranger } from './strangers/provider.mjs'

it('x', async () => {
  const p = await createStranger({ allowHttpWebhooks: true })
  const provider = { ...p, codesUrl: `${p.mailboxUrl}?to={email}` }
  const t = Date.now()
  const first = await measure(provider, { waitMs: 4000 })
  console.log(
    Date.now() - t,
    first.judged.outcome,
    p.books.users.length,
    p.books.transactions.map((x: { leftSideValue: number; status: string }) => [
      x.leftSideValue,
      x.status,
    ]),
  )
  for (const f of first.run.findings) {
    const e = STRANGER_CHOICES[f.setting]
    if (f.provider !== null && !(f.setting in STRANGER_CHOICES))
      console.log('UNLISTED', f.setting, f.provider)
    else if (f.provider !== null && String(f.provider) !== e)
      console.log('WRONG', f.setting, f.provider, e)
    else if (f.provider === null && e !== undefined)
      console.log('silent', f.setting, f.verdict, f.why)
  }
  writeFileSync('/tmp/cal-t.md', formatReport(first.run, first.judged, p.url))
  const second = await measure(provider, { waitMs: 4000, file: first.file })
  console.log(
    Date.now() - t,
    second.judged.outcome,
    p.books.users.length,
    p.books.transactions.map((x: { leftSideValue: number; status: string }) => [
      x.leftSideValue,
      x.status,
    ]),
  )
  console.log(formatReport(second.run, second.judged, p.url))
  await p.close()
}, 120000)
