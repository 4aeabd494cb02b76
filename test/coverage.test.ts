import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { countOf, isKnown, readBreaks, readResult } from '../scripts/breaks.mjs'
import { UNOBSERVABLE } from '../src/calibrate/unobservable.ts'
import { OPERATIONS } from '../src/host/operations.ts'
import { settingsOn } from '../src/http/concerns.ts'
import type { Operation } from '../src/http/operation.ts'
import { LEVERS } from '../src/levers/index.ts'
import { SETTING_IDS, settingOf } from '../src/world/settings/index.ts'

const root = join(import.meta.dirname, '..')
const PAGE = join(root, 'docs/coverage.md')
const contract = OPERATIONS.filter(({ dialect }) => dialect.isContract)
const templateOf = ({ method, path }: Operation) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`

const breaks: Breaks = readBreaks()
const result: Result = readResult()

/** The changes of each row of the page (`scripts/breaks.json`). */
type Breaks = Record<string, { says: string; file: string; text: string; instead: string }[]>
/** What came of them, by row and by what a change says. */
type Result = Record<string, Record<string, { change: string; commit: string; test: Test | null }>>
interface Test {
  file: string
  title: string
}

/** The files whose tests noticed a change of a row, those that noticed most first. */
function provenBy(name: string): string {
  const counts = new Map<string, number>()
  for (const { test } of Object.values(result[name] ?? {})) {
    if (test) counts.set(test.file, (counts.get(test.file) ?? 0) + 1)
  }
  const files = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  return files.map(([file]) => file).join(', ')
}

/** How data of that kind gets in besides by the call: levers whose path begins alike, and fixtures. */
function waysInOf({ path }: Operation): string[] {
  const [noun = ''] = path.replace('/v2', '').split('/').filter(Boolean)
  const levers = LEVERS.filter(({ path }) => path.includes(`/${noun}`))
  const fixtures = readFileSync(join(root, 'fixtures/cast.json'), 'utf8')
  return [
    ...levers.slice(0, 4).map(({ as }) => `\`${as}\``),
    ...(fixtures.includes(`"${noun}"`) ? ['fixture'] : []),
  ]
}

/** What each webhook is called in tests. */
const WEBHOOKS = {
  onUserUpdate: 'user.update',
  onTransactionUpdate: 'transaction.update',
  onV1UserVerified: 'verifiedEmail',
  onV1TransactionInitiated: 'transactionInitiated',
  onV1TransactionComplete: 'transactionComplete',
  onV1TransactionStatusUpdate: 'transactionStatusUpdate',
}

/** Statuses, credentials and fields are tables of their own. */
const isScalar = (id: string) => !/^(preset$|status\.|auth\.|fields\.)/.test(id)

const code = (text: string) => `\`${text}\``
const row = (...cells: string[]) => `| ${cells.map((cell) => cell || '–').join(' | ')} |`

function writePage(): string {
  const operations = contract.map((operation) =>
    row(
      code(templateOf(operation)),
      operation.ref ?? '',
      provenBy(templateOf(operation)),
      settingsOn(operation).filter(isScalar).slice(0, 4).map(code).join(', '),
      waysInOf(operation).join(', '),
    ),
  )
  const webhooks = Object.entries(WEBHOOKS).map(([id, name]) =>
    row(
      code(name),
      'Events',
      provenBy(name),
      settingsOn({ id }).filter(isScalar).slice(0, 4).map(code).join(', '),
      'levers that change a status',
    ),
  )
  const stated = SETTING_IDS.filter((id) => settingOf(id).stated)
  const rules = stated.map((id) => {
    const { ref, question } = settingOf(id)
    const value = `${code(id)} = ${settingOf(id).format(settingOf(id).default)}`
    return row(question, ref, value, provenBy(id))
  })
  const changeCount = Object.values(breaks).flat().length
  const unknown = SETTING_IDS.filter(
    (id) => isScalar(id) && UNOBSERVABLE.has(id) && !settingOf(id).stated,
  )
  const unknowns = unknown.map((id) =>
    row(code(id), settingOf(id).question, UNOBSERVABLE.get(id) ?? ''),
  )
  return `# What is proven, assumed, and cannot be known here

\`UPDATE_COVERAGE=1 npx vitest run test/coverage.test.ts\` writes this page from the tables of operations and settings; nobody edits it.

- *Proven*: tests that fail when the row is broken on purpose. \`npm run break\` makes ${changeCount} small changes of \`src\`, one at a time, listed by row in \`scripts/breaks.json\`; \`docs/coverage.json\` says which test noticed each, and at which commit. Besides, all documented statuses of all ${contract.length} operations are sent and checked against strict shapes by \`test/openapi\`.
- *Assumed*: settings that decide what the contract leaves open (four of each, besides the tables of statuses, credentials and fields; \`ramp-sandbox settings\` has all ${SETTING_IDS.length}).
- *Ways in*: how such data gets into a world besides the call.

## Operations and events

| Operation or event | Place in the contract | Proven by | Assumed | Ways in |
|---|---|---|---|---|
${[...operations, ...webhooks].join('\n')}

## Rules that the contract states

Each is also held by the simulation, and by \`test/assumptions\`, which shows that a client sees it.

| Rule | Place | Value | Proven by |
|---|---|---|---|
${rules.join('\n')}

## What cannot be known here

What no client may find out from a provider, so that the sandbox only assumes it.

| Setting | Question | Why |
|---|---|---|
${unknowns.join('\n')}
`
}

it('writes docs/coverage.md from the tables', () => {
  const page = writePage()
  if (process.env.UPDATE_COVERAGE) writeFileSync(PAGE, page)
  expect(readFileSync(PAGE, 'utf8')).toBe(page)
})

const ROWS = [
  ...contract.map(templateOf),
  ...Object.values(WEBHOOKS),
  ...SETTING_IDS.filter((id) => settingOf(id).stated),
]

it('has a change that breaks each row, and none besides', () => {
  expect(Object.keys(breaks)).toEqual(ROWS)
  const sayings = Object.values(breaks).map((changes) => changes.map(({ says }) => says))
  expect(sayings.filter((says) => says.length === 0)).toEqual([])
  expect(sayings.filter((says) => new Set(says).size < says.length)).toEqual([])
})

describe.each(Object.entries(breaks))('%s', (name, changes) => {
  it('is broken by changes whose text is in its file once', () => {
    const counts = changes.map(({ says, file, text }) => [says, countOf(read(file), text)])
    expect(counts).toEqual(changes.map(({ says }) => [says, 1]))
  })

  it('has a test that noticed each of its changes, as they are now', () => {
    const stale = changes.filter((change) => !isKnown(change, result[name]?.[change.says]))
    const again = `npm run break -- --missing '${name}'`
    expect(
      stale.map(({ says }) => says),
      again,
    ).toEqual([])
  })
})

const read = (file: string) => readFileSync(join(root, file), 'utf8')
