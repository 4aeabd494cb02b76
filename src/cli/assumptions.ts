import { type Assumption, presentAssumption } from '../http/control/assumptions.ts'
import { SETTING_IDS, toSettings } from '../world/settings/index.ts'
import { createCommand } from './command.ts'

export const assumptions = createCommand({
  usage: 'assumptions [--json]',
  about:
    'Lists every number and choice that the contract states or leaves open, with our default:\n' +
    'ramp-sandbox start --set id=value changes one.',
  options: { json: { help: 'as JSON' } },
  act({ values }) {
    const defaults = toSettings({})
    const all = SETTING_IDS.map((id) => presentAssumption(defaults, id))
    const text = values.json ? JSON.stringify(all, null, 2) : all.map(format).join('\n\n')
    process.stdout.write(`${text}\n`)
  },
})

function format(assumption: Assumption): string {
  const { id, contractRef, question, value, strict, options, why, stated } = assumption
  const choices = typeof options === 'string' ? options : options.join(' | ')
  return `${id} = ${value}
  ${question} ${why}
  options: ${choices}${strict === value ? '' : `\n  with --contract-only: ${strict}`}
  contract: ${contractRef}${stated ? ' (stated there)' : ' (left open there)'}`
}
