import { expect, it } from 'vitest'
import { BEHAVIOURS } from '../src/world/settings/behaviours.ts'
import { CONSTANTS, type Constant, LENGTHS } from '../src/world/settings/constants.ts'
import { SETTING_IDS, settingOf, strictValue } from '../src/world/settings/index.ts'

const DIFFERS = 'Differs from the contract, which '
const HOUR_MS = 3_600_000

const settings = SETTING_IDS.map((id) => ({ id, ...settingOf(id), strict: strictValue(id) }))
const constants: Constant[] = Object.values(CONSTANTS)
const open = settings.filter(({ stated }) => !stated)
const differing = open.filter(({ why }) => why.startsWith(DIFFERS))
const others = open.filter(({ why }) => !why.startsWith(DIFFERS))
const statuses = others.filter(({ id }) => id.startsWith('status.') && id !== 'status.created')
const choices = others.filter((setting) => !statuses.includes(setting))
const openConstants = constants.filter(({ stated }) => !stated)
const lengths = Object.entries(LENGTHS)
/** Limits that hold for several fields. */
const TEXTS: Readonly<Record<string, string>> = {
  profile: 'each text field of a profile',
  kyb: 'any text field of a KYB submission except `corporation_number`',
}
const statedRows = [...settings, ...constants].filter(({ stated }) => stated)

type SettingOnPage = (typeof settings)[number]

it('docs/contract-gaps.md lists each setting, constant and behaviour as it is in the code', async () => {
  const page = renderPage()
  for (const id of SETTING_IDS) expect(page).toContain(`\`${id}\``)
  // Written anew by `npx vitest run test/contract-gaps.test.ts --update`.
  await expect(page).toMatchFileSnapshot('../docs/contract-gaps.md')
})

function renderPage(): string {
  const total = open.length + openConstants.length + BEHAVIOURS.length + lengths.length
  return `# Where the contract ends and our guess begins

Use this when you need to know how far you can trust a test that passes against the sandbox.

The sandbox makes a choice in **${total} places**: ${total - differing.length} that the provider's contract leaves open, and ${differing.length} where we differ from it on purpose. This page lists each choice
and the reason for it. You can change ${open.length} of them with a setting:

\`\`\`sh
npx --no -- ramp-sandbox start --set quotes.ttl=5m      # change one
npx --no -- ramp-sandbox start --contract-only          # use the strictest value of each
npx --no -- ramp-sandbox settings --open                # list them for a running sandbox
\`\`\`

[settings.md](settings.md) explains how settings work. This page is generated from the code; don't edit it.

## Where we differ from the contract

These defaults contradict the contract, because local tests could not run otherwise or existing clients need them.
\`--contract-only\` sets all of them to what the contract says.

${table(
  ['Question', 'Default', 'Strict', 'What the contract says, and why we differ', 'Setting'],
  differing.map((row) => [
    row.question,
    code(shown(row)),
    code(row.format(row.strict as never)),
    row.why.replace(DIFFERS, 'It '),
    code(row.id),
  ]),
)}

## Settings

Where the contract does not say, we chose what seemed most sensible. “Strict” is the value under \`--contract-only\`, if it differs from the default.
The headings are those of the contract.

${bySection(choices)
  .map(([title, rows]) => `### ${title}\n\n${renderSettings(rows)}`)
  .join('\n\n')}

## Status codes of errors

The contract states only one status: 400 for the four limits. Your client should not depend on the others.
With 200, the call succeeds anyway. The journal then has a note, unless the contract itself lets the call succeed. Change one with \`--set status.CODE=NUMBER\`.

${table(
  ['Status', 'Strict', 'Error', 'When'],
  statuses.map((row) => [
    String(row.default),
    strictCell(row),
    code(row.id),
    `${row.question
      .replace('What status does a call get when ', '')
      .replace(/^[a-z](?!\d)/, (letter) => letter.toUpperCase())
      .replace(/\?$/, '')}.`,
  ]),
)}

## Fixed choices

No setting changes these, because we know of no client that depends on another choice.

${table(
  ['Question', 'Here', 'Why', 'Contract'],
  [
    ...openConstants.map((row) => [row.question, formatConstant(row), row.why, row.ref]),
    ...BEHAVIOURS.map((row) => [row.question, row.choice, row.why, row.ref]),
  ],
)}

## Maximum lengths

${table(
  ['Field', 'Characters', 'Why', 'Contract'],
  lengths.map(([field, { max, why, ref }]) => [TEXTS[field] ?? code(field), String(max), why, ref]),
)}

## What the contract states

These are not guesses. You can change those that have a setting, for example to test an account with other limits.

${table(
  ['Question', 'Value', 'Contract', 'Setting'],
  statedRows.map((row) => [
    row.question,
    code('format' in row ? shown(row) : formatConstant(row)),
    row.ref,
    'id' in row ? code(row.id) : '',
  ]),
)}
`
}

const renderSettings = (rows: SettingOnPage[]) =>
  table(
    ['Question', 'Default', 'Other values', 'Strict', 'Why', 'Setting'],
    rows.map((row) => [
      row.question,
      code(shown(row)),
      optionsOf(row),
      strictCell(row),
      row.why,
      code(row.id),
    ]),
  )

/** Settings by the section of the contract that leaves them open, in the order of the settings. */
function bySection(rows: SettingOnPage[]): [string, SettingOnPage[]][] {
  const sections = new Map<string, SettingOnPage[]>()
  for (const row of rows) {
    const title = row.ref.split(':')[0] ?? ''
    sections.set(title, [...(sections.get(title) ?? []), row])
  }
  return [...sections]
}

/** The default as people write it; all labels of coins would fill the page. */
function shown({ id, format, default: value }: SettingOnPage): string {
  return id === 'quotes.labels' ? 'all' : String(format(value as never))
}

function formatConstant({ value, question }: Constant): string {
  const isLength = typeof value === 'number' && value >= HOUR_MS && !question.startsWith('How old')
  return isLength ? `${value / HOUR_MS}h` : String(value)
}

function optionsOf(row: SettingOnPage): string {
  const { options } = row
  if (typeof options !== 'string') {
    return options
      .filter((option) => option !== String(row.default))
      .map(code)
      .join(', ')
  }
  if (options.startsWith('a length of time')) return 'any length of time'
  if (!options.startsWith('all | none')) return options.replaceAll('|', 'or')
  const words = ['all', 'none'].filter((word) => word !== String(row.default)).map(code)
  return `${words.join(', ')} or some of the names that ${code(`settings ${row.id}`)} shows`
}

const strictCell = (row: SettingOnPage) =>
  row.strict === row.default ? '' : code(String(row.format(row.strict as never)))

const code = (text: string | number) => `\`${text}\``

function table(head: string[], rows: string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows]
  return lines
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')
}
