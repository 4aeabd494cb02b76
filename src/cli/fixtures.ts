import { listFixtures } from '../fixture/load.ts'
import { createCommand, formatRows } from './command.ts'
import { printJson } from './terminal.ts'

export const fixtures = createCommand({
  usage: 'fixtures [--json]',
  about: 'list the built-in fixtures\n\nramp-sandbox start --fixture NAME',
  options: { json: { short: 'j', help: 'print the fixtures as JSON' } },
  act({ values }) {
    const all = listFixtures()
    if (values.json) return printJson(all)
    process.stdout.write(formatRows(all.map(({ name, description }) => [name, description])))
  },
})
