import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'
import { expect, it } from 'vitest'

const LINES_MAX = 400
const FUNCTION_LINES_MAX = 60

/** From the ground up. Imports go down, or to a neighbour that does not import back. */
const FLOORS: readonly (readonly string[])[] = [
  [
    'world',
    'fetch-classes.ts',
    'real-time.ts',
    'package-folder.ts',
    'at-exit.ts',
    'temporary-folder.ts',
    'text-file.ts',
  ],
  ['webhooks', 'fixture', 'store'],
  ['engine'],
  ['control-api'],
  ['http', 'client'],
  ['scenario'],
  ['pages', 'ui', 'mcp', 'variations'],
  ['host'],
  ['cli', 'index.ts', 'vitest.ts'],
]
/** Rooms that reach a world through HTTP alone, and the code besides their own that they may run. */
const TALK_HTTP: Readonly<Record<string, readonly string[]>> = {
  client: [
    'real-time.ts',
    'text-file.ts',
    'control-api/index.ts',
    'world/duration.ts',
    'world/nearest.ts',
    'world/plural.ts',
    'world/word-list.ts',
  ],
  scenario: ['real-time.ts', 'package-folder.ts', 'client/', 'world/nearest.ts'],
  variations: [
    'real-time.ts',
    'client/',
    'scenario/',
    'engine/run-change.ts',
    'http/run-change.ts',
    'webhooks/mutate.ts',
    'webhooks/mutation.ts',
    'webhooks/run-change.ts',
    'world/settings/',
    'world/event-types.ts',
    'world/nearest.ts',
    'world/plural.ts',
    'world/words.ts',
  ],
  ui: [],
}
/** Types that they may import besides: what can be asked, and what the contract speaks of. */
const TYPES = /^src\/(control-api\/|world\/|webhooks\/mutation\.ts$|fixture\/format\.ts$)/
/** The browser's code knows the types of what both APIs respond with, which each has in one file. */
const UI_TYPES = /^src\/(control-api\/wire|http\/v2\/shapes)\.ts$/
const DIALECTS = ['src/http/v1/', 'src/http/v2/', 'src/http/control/']
const V1 = /^src\/(http\/v1\/|webhooks\/v1\.tsx?$)/

/** Beside what biome.json denies to world/: it is given the time, derives from the seed, and never waits. */
const IMPURE = /\bDate\s*\.\s*now\b|\bnew Date\(\)|\bMath\s*\.\s*random\b|\b(async|await|Promise)\b/
/** How a caller reaches the service is for http/ to say; world/settings/ holds values and ids alone. */
const HTTP =
  /\b(?:GET|POST|PUT|PATCH|DELETE) \/|\/v\d\/|\/_sandbox|\bx-[a-z]+-|\b[Hh]eaders?\b|\b(?:status|respond\w*)\W+(?:with\W+)?[1-5]\d\d\b/g
/** State of a module would be shared between worlds. */
const MODULE_STATE =
  /^(?:export )?(?:(?:let|var) \w+|const \w+(?::[^=]*)?= (?:new (?:Map|WeakMap|Array|\w+Array|ArrayBuffer)\b|Buffer\.|\[\]$))/m

/** First words of a title that continues its describe, so that it says nothing alone. */
const NO_SUBJECT = new Set(
  `accepts adds are asks begins can changes copies counts creates deletes describes does ends exits expires
   explains filters finds follows for gets gives goes has have holds imports is keeps kills knows leads leaves
   lists loads makes may moves must names needs never offers opens pays plays prints reaches reads refuses
   reports resets responds returns runs says sees sends serves shows simulates starts stays still survives
   takes tells that throws tries waits where withstands works`.split(/\s+/),
)

/** A text before a function: the title of a test, and of a describe. */
const TITLE = /\(\s*(['"`])([^\n]*?)\1,\s*(?:\{[^}\n]*\},\s*)?(?:async )?\(/g

const STATIC_IMPORT = /^(?:import|export)( type)?\b[^'"()=;]*?['"]([^'"\n]+)['"].*/gm
const DYNAMIC_IMPORT = /\bimport()\(\s*['"`]([^'"`\n]+)['"`]/g

const root = join(import.meta.dirname, '..')
const sources = new Map(
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((name) => `src/${name.replaceAll('\\', '/')}`)
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
)
const world = [...sources].filter(([path]) => path.startsWith('src/world/'))
/** All imports of one source by another. */
const imports = [...sources].flatMap(([path, source]) =>
  [STATIC_IMPORT, DYNAMIC_IMPORT].flatMap((form) =>
    [...source.matchAll(form)].flatMap(([statement, type, name = '']) => {
      const target = posix.join(posix.dirname(path), name)
      return name.startsWith('.') ? [{ path, target, statement, isType: Boolean(type) }] : []
    }),
  ),
)
const importsThat = (isWrong: (found: (typeof imports)[number]) => boolean) =>
  imports.filter(isWrong).map(({ path, target }) => `${path} imports ${target}`)

const roomOf = (path: string) => path.split('/')[1] ?? ''
const isIn = (permitted: string, target: string) =>
  permitted.endsWith('/') ? target.startsWith(`src/${permitted}`) : target === `src/${permitted}`
const floorOf = (path: string) => FLOORS.findIndex((floor) => floor.includes(roomOf(path)))

it('the sources are each on a floor, and import only from lower floors or their own', () => {
  expect([...sources.keys()].filter((path) => floorOf(path) === -1)).toEqual([])
  expect(importsThat(({ path, target }) => floorOf(target) > floorOf(path))).toEqual([])
  expect(imports.length).toBeGreaterThan(1_000)
})

it('the sources that talk HTTP import only permitted code and types from other rooms', () => {
  const found = importsThat(({ path, target, isType }) => {
    const others = TALK_HTTP[roomOf(path)]
    if (others === undefined || roomOf(path) === roomOf(target)) return false
    const types = roomOf(path) === 'ui' ? UI_TYPES : TYPES
    return !others.some((code) => isIn(code, target)) && !(isType && types.test(target))
  })
  expect(found).toEqual([])
})

it('the sources use every permission that they have', () => {
  const code = imports.filter(({ isType }) => !isType)
  const unused = Object.entries(TALK_HTTP).flatMap(([room, others]) =>
    others
      .filter((each) => !code.some((it) => roomOf(it.path) === room && isIn(each, it.target)))
      .map((each) => `${room}: ${each}`),
  )
  const rooms = new Set([...sources.keys()].map(roomOf))
  const empty = FLOORS.flat().filter((room) => !rooms.has(room))
  expect([...unused, ...empty]).toEqual([])
})

it('the sources outside of ui/ import no browser code', () => {
  const found = importsThat(({ path, target }) => roomOf(target) === 'ui' && roomOf(path) !== 'ui')
  expect(found).toEqual([])
})

it('the sources keep v1, v2 and the control API apart', () => {
  const found = importsThat(({ path, target }) => {
    const own = DIALECTS.find((dialect) => path.startsWith(dialect))
    const isShared = /^src\/http\/(openapi\/|[^/]+\.ts$)/.test(path)
    const crosses = DIALECTS.some((it) => it !== own && target.startsWith(it))
    return (own !== undefined || isShared) && crosses
  })
  expect(found).toEqual([])
})

it('the sources in world/ are free of the wall clock, chance, promises and module state', () => {
  const code = world.map(([path, source]) => `${path}\n${withoutComments(source)}`)
  expect(code.flatMap((text) => IMPURE.exec(text)?.[0] ?? [])).toEqual([])
  expect(code.flatMap((text) => MODULE_STATE.exec(text)?.[0] ?? [])).toEqual([])
})

it('the sources in world/ name no routes, headers or statuses of HTTP', () => {
  const rules = world.filter(([path]) => !path.startsWith('src/world/settings/'))
  const found = rules.flatMap(([path, source]) =>
    [...source.matchAll(HTTP)].map(([text]) => `${path}: ${text}`),
  )
  expect(found).toEqual([])
})

it('the sources have no circular imports, not even of types', () => {
  expect(inCircles(imports.map(({ path, target }) => [path, target]))).toEqual([])
  const rooms = imports.map(({ path, target }) => [roomOf(path), roomOf(target)] as const)
  expect(inCircles(rooms.filter(([from, to]) => from !== to))).toEqual([])
})

it('the sources outside v1 import it on at most two lines', () => {
  const uses = imports.filter(({ path, target }) => V1.test(target) && !V1.test(path))
  const lines = uses.flatMap(({ statement }) => statement.split('\n'))
  expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(2)
})

it(`the sources have no function of more than ${FUNCTION_LINES_MAX} lines, except tables`, () => {
  // In the others no function can be too long.
  const long = [...sources].filter(([, source]) => linesOf(source) > FUNCTION_LINES_MAX)
  const lengths = long.flatMap(([path, source]) => functionLengths(path, source))
  expect(lengths.length).toBeGreaterThan(1_000)
  const tooLong = lengths.filter(({ length }) => length > FUNCTION_LINES_MAX)
  expect(tooLong.map(({ place }) => place)).toEqual([])
})

it(`the sources have at most ${LINES_MAX} lines each`, () => {
  const long = [...sources].filter(([, source]) => linesOf(source) > LINES_MAX)
  expect(long.map(([path]) => path)).toEqual([])
})

it('the tests have titles that can be read and searched for alone', () => {
  const paths = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.(?:test|spec)\.(?:ts|m?js)$/.test(path) && !path.includes('node_modules'),
  )
  const titles = paths
    .map((path) => readFileSync(join(import.meta.dirname, path), 'utf8'))
    .flatMap((source) => Array.from(source.matchAll(TITLE), ([, , title = '']) => title))
  expect(titles.length).toBeGreaterThan(1_000)
  expect(titles.filter((title) => NO_SUBJECT.has(title.split(/[ ,]/)[0] ?? ''))).toEqual([])
})

const linesOf = (source: string) => source.split('\n').length - 1

interface FunctionNode {
  start: number
  end: number
  body?: { type: string } | null
}

/** Lines of each function with statements, those inside others too; a single expression is a table. */
function functionLengths(path: string, source: string) {
  const found: { place: string; length: number }[] = []
  const add = ({ start, end, body }: FunctionNode) => {
    if (body?.type !== 'BlockStatement' && body?.type !== 'FunctionBody') return
    const length = source.slice(start, end).split('\n').length
    found.push({ place: `${path}:${source.slice(0, start).split('\n').length}`, length })
  }
  new Visitor({
    FunctionDeclaration: add,
    FunctionExpression: add,
    ArrowFunctionExpression: add,
  }).visit(parseSync(path, source).program)
  return found
}

const withoutComments = (source: string) => source.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')

/** What is left once all that imports nothing, or that nobody imports, has gone again and again. */
function inCircles(all: readonly (readonly [string, string])[]): string[] {
  let left = all
  for (let before = -1; before !== left.length; ) {
    before = left.length
    const [froms, tos] = [0, 1].map((end) => new Set(left.map((edge) => edge[end])))
    left = left.filter(([from, to]) => tos?.has(from) && froms?.has(to))
  }
  return [...new Set(left.flat())].sort()
}
