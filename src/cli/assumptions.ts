import { SETTING_IDS, type SettingId, settingOf } from '../world/settings/index.ts'
import { createCommand } from './command.ts'

export const assumptions = createCommand({
  usage: 'assumptions [--json]',
  about:
    'Lists every number and choice that the contract states or leaves open, with our default:\n' +
    'ramp-sandbox start --set id=value changes one.',
  options: { json: { help: 'as JSON' } },
  act({ values }) {
    const all = SETTING_IDS.map(toAssumption)
    const text = values.json ? JSON.stringify(all, null, 2) : all.map(format).join('\n\n')
    process.stdout.write(`${text}\n`)
  },
})

type Assumption = ReturnType<typeof toAssumption>

function toAssumption(id: SettingId) {
  const setting = settingOf(id)
  const { ref: contractRef, question, options, why, stated = false } = setting
  const value = setting.format(setting.default)
  return { id, contractRef, question, value, default: value, options, why, stated }
}

function format({ id, contractRef, question, value, options, why, stated }: Assumption): string {
  const choices = typeof options === 'string' ? options : options.join(' | ')
  return `${id} = ${value}
  ${question} ${why}
  options: ${choices}
  contract: ${contractRef}${stated ? ' (stated there)' : ' (left open there)'}`
}
