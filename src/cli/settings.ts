import type { ControlApi } from '../client/control-api.ts'
import { SandboxError } from '../client/error.ts'
import { presentSetting } from '../http/control/settings.ts'
import { SETTING_IDS, toSettings } from '../world/settings/index.ts'
import { createCommand } from './command.ts'
import { invalid } from './option-values.ts'
import { printRefusal, REMOTE_OPTIONS, withSandbox } from './remote.ts'
import { printJson, printText, wrap } from './terminal.ts'

type Row = Awaited<ReturnType<ControlApi['settings']['list']>>[number]

/** Shows and changes what a sandbox does where the contract leaves it open, or states a number. */
export const settings = createCommand({
  usage: 'settings [FILTER] [ID=VALUE …] [options]',
  about:
    'Lists settings. A word keeps those whose id or question contains it; a whole id shows everything about\n' +
    'that setting. ID=VALUE changes a setting, and ID=default resets it.\n\nramp-sandbox settings quotes.ttl=5m',
  words: true,
  options: {
    changed: { help: 'only those that differ from their default' },
    open: { help: 'only what the contract leaves open' },
    ...REMOTE_OPTIONS,
  },
  exits: { 1: 'The sandbox refused the change.' },
  async act({ words, values }) {
    const changes = words.filter((word) => word.includes('='))
    const filters = words.filter((word) => !word.includes('='))
    await withSandbox(
      values,
      async (sandbox) => {
        if (changes.length > 0) {
          const changed = await sandbox.settings.set(Object.fromEntries(changes.map(toChange)))
          return values.json ? printJson(changed) : printText(formatTable(changed))
        }
        const all = await readAll(sandbox, values.url !== undefined)
        const named = filters.length === 1 && all.find(({ id }) => id === filters[0])
        const rows = named ? [named] : all.filter(isMeant)
        if (values.json) return printJson(rows)
        if (rows.length === 0)
          throw invalid('settings', `No setting is about ${filters.join(' ')}.`, LISTS_ALL)
        printText(named ? formatWhole(named) : formatTable(rows))

        function isMeant({ id, question, value, default: standard, stated }: Row): boolean {
          if ((values.changed && value === standard) || (values.open && stated)) return false
          const text = `${id} ${question}`.toLowerCase()
          return filters.every((filter) => text.includes(filter.toLowerCase()))
        }
      },
      printRefusal,
    )
  },
})

const LISTS_ALL = 'ramp-sandbox settings lists them all.'

/** The settings of the sandbox that runs; where none does and none was named, the defaults. */
async function readAll({ settings }: Pick<ControlApi, 'settings'>, isNamed: boolean) {
  try {
    return await settings.list()
  } catch (error) {
    const isNowhere = error instanceof SandboxError && error.code === 'unreachable'
    if (isNamed || !isNowhere || process.env.RAMP_SANDBOX_URL) throw error
    const defaults = toSettings({})
    return SETTING_IDS.map((id) => presentSetting(defaults, id))
  }
}

function toChange(word: string): [string, string | null] {
  const at = word.indexOf('=')
  const value = word.slice(at + 1)
  return [word.slice(0, at), value === 'default' ? null : value]
}

/** Id, value and options, which wrap where the terminal ends. */
function formatTable(rows: readonly Row[]): string {
  const columns = process.stdout.columns || Number.POSITIVE_INFINITY
  const idWidth = Math.max(...rows.map(({ id }) => id.length))
  const valueWidth = Math.min(18, Math.max(...rows.map(({ value }) => String(value).length)))
  return rows
    .map(({ id, value, options }) => {
      const left = `${id.padEnd(idWidth)}  ${String(value).padEnd(valueWidth)}  `
      const width = Math.max(20, columns - idWidth - valueWidth - 4)
      return left + wrap(choices(options), width).join(`\n${' '.repeat(idWidth + valueWidth + 4)}`)
    })
    .join('\n')
}

const choices = (options: Row['options']) =>
  typeof options === 'string' ? options : options.join(' | ')

function formatWhole({ id, contractRef, question, value, default: standard, strict, ...row }: Row) {
  const { options, why, stated } = row
  return `${id} = ${value}
  ${question} ${why}
  options: ${choices(options)}
  default: ${standard}${strict === standard ? '' : `; with --contract-only: ${strict}`}
  contract: ${contractRef} (${stated ? 'stated there' : 'left open there'})`
}
