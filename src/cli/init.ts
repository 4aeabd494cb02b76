import { existsSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { Worlds } from '../host/worlds.ts'
import { packageFolder } from '../package-folder.ts'
import { createCommand, type OptionSpecs } from './command.ts'
import { invalid, writeOutput } from './option-values.ts'
import { PROJECT_FILE } from './project-file.ts'
import {
  readWorldsOptions,
  SERVING_GROUPS,
  SERVING_OPTIONS,
  type ServingValues,
} from './serving-options.ts'
import { printJson, printText } from './terminal.ts'

const OUTPUT = {
  json: { short: 'j', help: 'print what was written as JSON' },
} as const satisfies OptionSpecs

/** Writes an options file, so that `start` and `exec` need no options. */
export const init = createCommand({
  usage: 'init [options]',
  about: `Writes the given options to ${PROJECT_FILE} in this folder, for start and exec.\n\nramp-sandbox init --fixture verified-user --webhook-url localhost:3000/hooks`,
  options: { ...SERVING_OPTIONS, ...OUTPUT },
  groups: { ...SERVING_GROUPS, Output: OUTPUT },
  async act({ values, texts }) {
    if (existsSync(PROJECT_FILE)) {
      throw invalid(PROJECT_FILE, `${PROJECT_FILE} already exists; edit it or delete it.`)
    }
    await assertStarts(values)
    const { json: _, ...given } = texts
    const document = { $schema: findSchema(), fixture: 'default', ...given }
    writeOutput(PROJECT_FILE, PROJECT_FILE, `${JSON.stringify(document, null, 2)}\n`)
    if (values.json) printJson(document)
    else printText(`Wrote ${PROJECT_FILE}; start and exec in this folder read it.`)
  },
})

/** Rejects what a start would reject: its fixture, its settings, its clock. */
async function assertStarts(values: ServingValues): Promise<void> {
  // The token that another host needs may be in the environment of the start.
  await new Worlds(readWorldsOptions({ ...values, host: undefined })).close()
}

/**
 * Relative path of the installed schema; undefined if it lies outside the working folder, or in an
 * archive of Yarn PnP, where editors find nothing and whose path belongs to this machine.
 */
function findSchema(): string | undefined {
  const file = join(packageFolder(), 'dist', 'options.schema.json')
  const path = relative('.', file)
  if (path.startsWith('..') || path.includes(`.zip${sep}`) || !existsSync(file)) return undefined
  return `./${path.replaceAll(sep, '/')}`
}
