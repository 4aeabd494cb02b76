import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { UNOBSERVABLE } from '../src/calibrate/unobservable.ts'
import { OPERATIONS } from '../src/host/operations.ts'
import { settingsOn } from '../src/http/concerns.ts'
import type { Operation } from '../src/http/operation.ts'
import { LEVERS } from '../src/levers/index.ts'
import { SETTING_IDS, settingOf } from '../src/world/settings/index.ts'

const root = join(import.meta.dirname, '..')
const PAGE = join(root, 'docs/coverage.md')
/** Tests, and folders of them, that say what the contract says. */
const TESTS = ['v2', 'v1', 'webhooks', 'kyb.test.ts']

const contract = OPERATIONS.filter(({ dialect }) => dialect.isContract)
const templateOf = ({ method, path }: Operation) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`

const sources = TESTS.flatMap((name) => {
  const path = join(root, 'test', name)
  const inFolder = () => readdirSync(path).filter((file) => file.endsWith('.test.ts'))
  const files = name.endsWith('.ts') ? [''] : inFolder()
  return files.map((file) => ({
    name: file === '' ? name : `${name}/${file}`,
    text: readFileSync(join(path, file), 'utf8'),
  }))
})

/** The tests that call an operation, those that do so most often first. */
function testsOf(operation: Operation): string[] {
  if (operation.path === '/submitKYB') return testsWith('/submitKYB')
  const called = templateOf(operation).replace(/[{}]/g, '\\$&')
  return testsWith(new RegExp(String.raw`\b(?:call|refused)\w*\((?:\w+, )*'${called}'`))
}

function testsWith(call: string | RegExp): string[] {
  const found = sources.map(({ name, text }) => ({ name, count: text.split(call).length - 1 }))
  return found
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .map(({ name }) => `test/${name}`)
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
      testsOf(operation).slice(0, 3).join(', '),
      settingsOn(operation).filter(isScalar).slice(0, 4).map(code).join(', '),
      waysInOf(operation).join(', '),
    ),
  )
  const webhooks = Object.entries(WEBHOOKS).map(([id, name]) =>
    row(
      code(name),
      'Events',
      testsWith(name).slice(0, 3).join(', '),
      settingsOn({ id }).filter(isScalar).slice(0, 4).map(code).join(', '),
      'levers that change a status',
    ),
  )
  const stated = SETTING_IDS.filter((id) => settingOf(id).stated)
  const rules = stated.map((id) => {
    const { ref, question } = settingOf(id)
    return row(question, ref, `${code(id)} = ${settingOf(id).format(settingOf(id).default)}`)
  })
  const unknown = SETTING_IDS.filter(
    (id) => isScalar(id) && UNOBSERVABLE.has(id) && !settingOf(id).stated,
  )
  const unknowns = unknown.map((id) =>
    row(code(id), settingOf(id).question, UNOBSERVABLE.get(id) ?? ''),
  )
  return `# What is proven, assumed, and cannot be known here

\`UPDATE_COVERAGE=1 npx vitest run test/coverage.test.ts\` writes this page from the tables of operations and settings; nobody edits it.

- *Proven*: tests that call the operation through HTTP and compare with the contract. All documented statuses of all ${contract.length} operations are sent and checked against strict shapes by \`test/openapi\`.
- *Assumed*: settings that decide what the contract leaves open (four of each, besides the tables of statuses, credentials and fields; \`ramp-sandbox settings\` has all ${SETTING_IDS.length}).
- *Ways in*: how such data gets into a world besides the call.

## Operations and events

| Operation or event | Place in the contract | Proven by | Assumed | Ways in |
|---|---|---|---|---|
${[...operations, ...webhooks].join('\n')}

## Rules that the contract states

Each is held by its tests in \`test/v2\`, by the simulation, and by \`test/assumptions\`, which shows that a client sees it.

| Rule | Place | Value |
|---|---|---|
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

it.each(contract.map((operation) => [templateOf(operation), operation] as const))(
  '%s is called by a test of the contract',
  (_, operation) => {
    expect(testsOf(operation)).not.toEqual([])
  },
)
