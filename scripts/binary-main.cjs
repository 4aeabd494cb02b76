// What a single executable runs: the program, out of its own assets.
const { getAsset } = require('node:sea')
const vm = require('node:vm')
const { pathToFileURL } = require('node:url')

// Here `import()` cannot load files by itself, and scenarios are files.
const importModuleDynamically = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
const compile = (code, names, filename) =>
  vm.compileFunction(code, names, { filename, importModuleDynamically })

// Node would warn on stderr that it is experimental; this binary has the version that it was tested with.
const { emitWarning } = process
process.emitWarning = (text, ...rest) => {
  if (!String(text).startsWith('vm.USE_MAIN_CONTEXT_DEFAULT_LOADER')) emitWarning(text, ...rest)
}

const loaded = new Map()
const [, , word, file] = process.argv
// Not an option for people: `src/package-folder.ts` asks for it.
if (word === '--run-file') {
  compile('import(url)', ['url'], __filename)(pathToFileURL(file).href)
} else {
  requireEmbedded('./main.cjs').runProgram(process.argv.slice(2))
}

/** The files of the program ask each other for what they need. */
function requireEmbedded(path) {
  if (!path.startsWith('./')) return require(path)
  if (!loaded.has(path)) {
    const target = { exports: {} }
    loaded.set(path, target)
    const names = ['module', 'exports', 'require', '__filename', '__dirname']
    const run = compile(getAsset(`dist/${path.slice(2)}`, 'utf8'), names, path.slice(2))
    run(target, target.exports, requireEmbedded, __filename, __dirname)
  }
  return loaded.get(path).exports
}
