#!/usr/bin/env node
import { enableCompileCache } from './compile-cache.ts'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`ramp-sandbox needs Node 20.19 or newer; this is ${process.version}.\n`)
  process.exit(2)
}
enableCompileCache()
// Imported late, because it uses features that older versions of Node lack.
void import('./run-program.ts').then(({ runProgram }) => runProgram(process.argv.slice(2)))
