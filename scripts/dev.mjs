// Builds the program and starts it; `node --watch-path` runs this again on every change of src:
//   npm run dev -- --fixture cast

import { createRequire } from 'node:module'
import { join } from 'node:path'
import { buildProgram } from './bundles.mjs'

await buildProgram()
const cli = join(import.meta.dirname, '../dist/cli.cjs')
process.argv.splice(1, 1, cli, 'start')
createRequire(import.meta.url)(cli)
