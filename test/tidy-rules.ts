import { posix } from 'node:path'

/** Source text by path, as `src/world/money.ts`. */
export type Sources = ReadonlyMap<string, string>

export const LINES_MAX = 400

/** From the ground up. Imports go down, or to a neighbour that does not import back. */
const FLOORS: readonly (readonly string[])[] = [
  ['world', 'real-time.ts', 'package-folder.ts', 'temporary-folder.ts', 'text-file.ts'],
  ['webhooks', 'fixture', 'store'],
  ['engine'],
  // Of http, the others take nothing but the types of what is sent.
  ['http', 'client', 'scenario', 'agreement', 'chain', 'explore'],
  ['dashboard', 'demo', 'mcp'],
  ['host'],
  ['cli', 'index.ts', 'program.ts', 'vitest.ts'],
]

const DIALECTS = ['src/http/v1/', 'src/http/v2/', 'src/http/control/']
/** What reaches a world through HTTP alone, and whose code it may run. */
const TALK_HTTP = [
  {
    from: /^src\/scenario\//,
    to: /^src\/(real-time\.ts$|package-folder\.ts$|scenario\/|client\/|world\/nearest\.ts$)/,
  },
  {
    from: /^src\/explore\//,
    to: /^src\/(real-time\.ts$|explore\/|client\/|scenario\/)/,
  },
  {
    from: /^src\/agreement\//,
    to: /^src\/(agreement\/|client\/|world\/(settings\/|(duration|kyb|legacy-webhooks|money|nearest|profile|state)\.ts$))/,
  },
  {
    from: /^src\/chain\//,
    to: /^src\/(real-time\.ts$|chain\/|client\/)/,
  },
  {
    from: /^src\/client\//,
    to: /^src\/(real-time\.ts$|text-file\.ts$|client\/|http\/control\/routes\.ts$|world\/duration\.ts$)/,
  },
]
const V1 = /^src\/(http\/v1\/|webhooks\/v1\.tsx?$)/

/** Impure calls, each with what to use instead. */
const BANS: readonly { pattern: RegExp; use: string }[] = [
  { pattern: /\bDate\s*\.\s*now\b/, use: 'world.now, which the timekeeper moves' },
  { pattern: /\bnew Date\b(?!\s*\(\s*[^\s)])/, use: 'new Date(world.now)' },
  { pattern: /(?<!new\s+)\bDate\s*\(/, use: 'new Date(world.now).toISOString()' },
  { pattern: /\bMath\s*\.\s*random\b/, use: 'random.ts, which derives from the seed' },
  {
    pattern: /\b(setTimeout|setInterval|setImmediate|queueMicrotask)\b/,
    use: 'world.schedule({ kind, at, … })',
  },
  {
    pattern: /\b(async|await|Promise)\b/,
    use: 'a synchronous function; the engine does the waiting',
  },
  { pattern: /(?<![.\w])fetch\s*\(/, use: 'an event, which webhooks/ posts' },
  { pattern: /(?<![.\w])process\b(?!\s*:)/, use: 'an argument, or a setting in world/settings/' },
  { pattern: /(?<![.\w])crypto\b(?!\s*:)/, use: 'random.ts, which derives from the seed' },
  { pattern: /\bperformance\b/, use: 'world.now, which the timekeeper moves' },
  { pattern: /\bglobalThis\b/, use: 'an argument' },
]

export function findImpurities(path: string, source: string): string[] {
  const code = codeOf(source)
  const calls = BANS.flatMap(({ pattern, use }) => {
    const found = code.match(pattern)
    return found ? [`${path} says ${found[0].trim()}: use ${use}`] : []
  })
  const imports = importsOf(path, source)
    .filter(({ target }) => !target.startsWith('src/world/'))
    .map(({ target }) => `${path} imports ${target}: world/ imports only from world/; pass it in`)
  return [...calls, ...imports]
}

export function findUpwardImports(path: string, source: string): string[] {
  const talker = TALK_HTTP.find(({ from }) => from.test(path))
  const talksHttp = talker ? findCodeImports(path, source, talker.to) : []
  const upward = importsOf(path, source)
    .filter(({ target }) => target.startsWith('src/') && !isAllowed(path, target))
    .map(({ target }) => `${path} imports ${target}, which is above it`)
  return talksHttp.length > 0 ? talksHttp : upward
}

/** A file on no floor would escape the rule above in silence. */
export function findHomeless(paths: Iterable<string>): string[] {
  return [...paths]
    .filter((path) => floorOf(path) === -1)
    .map((path) => `${path} is on no floor yet: give it a place in FLOORS of test/tidy-rules.ts`)
}

/** Between the dialects, and from the shared parts of http/ back to one. */
export function findDialectCrossings(path: string, source: string): string[] {
  const own = DIALECTS.find((dialect) => path.startsWith(dialect))
  if (!own && !/^src\/http\/(hints\/|openapi\/|[^/]+\.ts$)/.test(path)) return []
  const others = DIALECTS.filter((dialect) => dialect !== own)
  return importsOf(path, source)
    .filter(({ target }) => others.some((other) => target.startsWith(other)))
    .map(({ target }) => `${path} imports ${target}: dialects meet only in world/ and http/`)
}

/** What besides v1's own files would have to go if v1 were deleted. */
export function findV1Uses(sources: Sources): string[] {
  const others = [...sources].filter(([path]) => !V1.test(path))
  return others.flatMap(([path, source]) =>
    importsOf(path, source)
      .filter(({ target }) => V1.test(target))
      .flatMap(({ statement }) => statement.split('\n').map((line) => `${path}: ${line}`)),
  )
}

export function findLongFiles(sources: Sources): string[] {
  return [...sources].flatMap(([path, source]) => {
    const lines = source.replace(/\n$/, '').split('\n').length
    return lines > LINES_MAX ? [`${path} has ${lines} lines, at most ${LINES_MAX}: split it`] : []
  })
}

/** Files that import each other in a circle, type-only imports included. */
export function findCycles(sources: Sources): string[] {
  const targets = new Map<string, string[]>()
  for (const [path, source] of sources) {
    const inside = importsOf(path, source).map(({ target }) => target)
    targets.set(
      path,
      inside.filter((target) => sources.has(target)),
    )
  }
  return inCircles(targets)
}

/** Folders of `src` that import each other in a circle. */
export function findFolderCycles(sources: Sources): string[] {
  const targets = new Map<string, string[]>()
  for (const [path, source] of sources) {
    const inside = importsOf(path, source).filter(({ target }) => target.startsWith('src/'))
    const others = inside.map(({ target }) => roomOf(target)).filter((it) => it !== roomOf(path))
    targets.set(roomOf(path), [...(targets.get(roomOf(path)) ?? []), ...others])
  }
  return inCircles(targets)
}

/** What is left once all that imports nothing, or that nobody imports, has gone again and again. */
function inCircles(targets: ReadonlyMap<string, string[]>): string[] {
  const left = new Map(targets)
  for (let before = -1; before !== left.size; ) {
    before = left.size
    const imported = new Set([...left.values()].flat())
    for (const [path, inside] of left) {
      if (!imported.has(path) || !inside.some((target) => left.has(target))) left.delete(path)
    }
  }
  return [...left.keys()].sort()
}

/** State that a module of world/ keeps: it would be shared between worlds. */
export function findModuleState(path: string, source: string): string[] {
  const code = codeOf(source)
  const kept = [
    ...code.matchAll(/^(?:export )?(?:let|var)\s+(\w+)/gm),
    ...code.matchAll(
      /^(?:export )?const (\w+)(?::[^=]*)?=\s*(?:new (?:Map|WeakMap|Array|Uint8Array|Float64Array|ArrayBuffer)\b|Buffer\.|\[\]\s*$)/gm,
    ),
  ]
  return kept.map(([, name]) => `${path} keeps ${name} in the module: put it into the world`)
}

interface Import {
  statement: string
  /** A path like `src/world/money.ts`, or a package's name as written. */
  target: string
  isType: boolean
}

const STATIC_IMPORT =
  /^[ \t]*(?:import|export)\b(\s+type(?=\s+[\w{*]))?\s*(?:[\w$]+\s*,?\s*)?(?:\{[^}]*\}|\*(?:\s+as\s+[\w$]+)?)?\s*(?:\bfrom\s*)?['"]([^'"\n]+)['"][^\n]*/gm
const DYNAMIC_IMPORT = /\bimport\s*\(\s*['"`]([^'"`\n]+)['"`]/g

function importsOf(path: string, source: string): Import[] {
  const code = withoutComments(source)
  const statics = [...code.matchAll(STATIC_IMPORT)].map(([statement, type, target = '']) => ({
    statement,
    target: resolve(path, target),
    isType: type !== undefined,
  }))
  const dynamics = [...code.matchAll(DYNAMIC_IMPORT)].map(([statement, target = '']) => ({
    statement,
    target: resolve(path, target),
    isType: false,
  }))
  return [...statics, ...dynamics]
}

function resolve(path: string, target: string): string {
  return target.startsWith('.') ? posix.join(posix.dirname(path), target) : target
}

function findCodeImports(path: string, source: string, allowed: RegExp): string[] {
  return importsOf(path, source)
    .filter(({ target, isType }) => target.startsWith('src/') && !isType && !allowed.test(target))
    .map(({ target }) => `${path} imports ${target}: it talks HTTP, so import only types`)
}

/** What is on no floor is found by another rule. */
const isAllowed = (path: string, target: string) => floorOf(target) <= floorOf(path)

const floorOf = (path: string) => FLOORS.findIndex((floor) => floor.includes(roomOf(path)))

const roomOf = (path: string) => path.split('/')[1] ?? ''

const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|(?<=[(,=:[!&|?{};>]\s*)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/g

function withoutComments(source: string): string {
  return source.replace(TOKEN, (token) => (/^\/[/*]/.test(token) ? '' : token))
}

/** The source less its comments, strings and patterns; what a template computes stays. */
function codeOf(source: string): string {
  return source.replace(TOKEN, (token) =>
    token.startsWith('`') ? (token.match(/\$\{[^}]*\}?/g) ?? []).join(' ') : ' ',
  )
}
