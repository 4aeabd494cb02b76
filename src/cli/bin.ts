#!/usr/bin/env node
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`ramp-sandbox needs Node 20.19 or newer; this is ${process.version}.\n`)
  process.exit(2)
}
// From 22.8 on, Node can keep compiled code from one start to the next.
const { enableCompileCache } = process.getBuiltinModule('node:module') as {
  enableCompileCache?: () => void
}
enableCompileCache?.()
// Imported late, because it uses features that older versions of Node lack.
void import('./run-program.ts').then(({ runProgram }) => runProgram(process.argv.slice(2)))
