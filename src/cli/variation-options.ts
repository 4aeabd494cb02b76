import { isVariantGroup, isVariantId, VARIANT_GROUPS } from '../variations/variants.ts'
import { suggest } from '../world/nearest.ts'
import { SETTING_IDS } from '../world/settings/index.ts'
import type { OptionSpecs, Values } from './command.ts'
import { COUNT, invalid, type Reader } from './option-values.ts'

/** Stands for all settings: `--variants` without a value. */
export const ALL_SETTINGS = 'all'

const readGroup: Reader<string> = (option, text) => {
  if (text === ALL_SETTINGS || isVariantGroup(text)) return text
  const groups = `; use ${VARIANT_GROUPS.join(', ')}, or the id of a setting.`
  const instead = suggest(text, [...VARIANT_GROUPS, ...SETTING_IDS], groups)
  throw invalid(option, `${option}: there is no group ${text}${instead}`)
}

const readIgnored: Reader<string[]> = (option, text) => {
  const ids = text.split(',').map((id) => id.trim())
  const unknown = ids.find((id) => !isVariantId(id))
  if (unknown === undefined) return ids
  const example = 'such as status.created=201 or deliveries=twice'
  throw invalid(option, `${option} takes ids of variants, ${example}, not ${unknown}.`)
}

export const VARIATION_OPTIONS = {
  variants: {
    value: '[GROUP]',
    read: readGroup,
    values: VARIANT_GROUPS,
    bare: ALL_SETTINGS,
    help: 'run the command once for each alternative that the contract allows; --variants deliveries changes the webhooks instead',
  },
  unchecked: {
    help: 'break the provider in one place at a time, and list what the command does not notice',
  },
  ignore: {
    value: 'ID=VALUE,…',
    read: readIgnored,
    many: true,
    help: 'accept failures with these variants',
  },
  jobs: { ...COUNT, help: 'how many runs at once; 1 by default' },
} as const satisfies OptionSpecs

export type VariationValues = Values<typeof VARIATION_OPTIONS>

/** Reads how a command is varied, if it is; throws for options that do not go together. */
export function readMode(
  { variants, unchecked }: VariationValues,
  named: readonly string[],
): 'variants' | 'unchecked' | undefined {
  const mode = variants !== undefined ? 'variants' : unchecked ? 'unchecked' : undefined
  if (mode === undefined) {
    const alone = named.find((name) => name === 'ignore' || name === 'jobs')
    if (alone === undefined) return undefined
    throw invalid(
      `--${alone}`,
      `--${alone} needs --variants${alone === 'jobs' ? ' or --unchecked' : ''}.`,
    )
  }
  const other = named.find((name) => EXCLUDED[mode].includes(name))
  if (other === undefined) return mode
  const why = other === 'on' ? ', because it starts sandboxes of its own' : ''
  throw invalid(`--${other}`, `exec --${mode} cannot be combined with --${other}${why}.`)
}

const EXCLUDED: Readonly<Record<'variants' | 'unchecked', readonly string[]>> = {
  variants: ['on', 'coverage', 'coverage-require', 'log', 'unchecked'],
  unchecked: ['on', 'coverage', 'coverage-require', 'log', 'ignore'],
}
