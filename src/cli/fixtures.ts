import { listFixtures } from '../fixture/load.ts'
import { createCommand, formatRows } from './command.ts'

export const fixtures = createCommand({
  usage: 'fixtures [--json]',
  about:
    'Lists the starting worlds that come with the sandbox.\n\nramp-sandbox start --fixture NAME',
  options: { json: { help: 'print them as JSON' } },
  act({ values }) {
    const all = listFixtures()
    const rows = all.map(({ name, description }) => [name, description] as const)
    process.stdout.write(values.json ? `${JSON.stringify(all, null, 2)}\n` : formatRows(rows))
  },
})
