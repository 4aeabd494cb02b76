import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Live, openLive } from './control/live.ts'
import { endCommands, startSandbox } from './helpers/command.ts'
import { isFullDepth } from './helpers/depth.ts'
import { createFolder } from './helpers/folder.ts'
import { blocksOf, paste } from './helpers/page.ts'

const root = join(import.meta.dirname, '..')
const NAMES = ['settings', 'scenarios', 'control-api', 'sharing', 'v1', 'faults']
const pages = new Map(
  NAMES.map((name) => [name, readFileSync(join(root, `docs/${name}.md`), 'utf8')]),
)
/** Commands that keep running, start a sandbox themselves, or take long. */
const IS_LEFT_OUT = /^npx --no -- ramp-sandbox (start|exec|play --all)/
const folder = createFolder()

let live: Live
beforeAll(async () => {
  live = await openLive({ fixture: 'default', clock: 'running' })
})
afterAll(async () => {
  await live[Symbol.asyncDispose]()
  await endCommands()
})

it.runIf(isFullDepth).each(NAMES)(
  'the commands of docs/%s.md work in their order',
  async (name) => {
    const page = pages.get(name) ?? ''
    for (const scenario of blocksOf(page, 'js')) writeFileSync(join(folder, 'mine.mjs'), scenario)
    const lines = blocksOf(page, 'sh').flatMap((block) => block.split('\n'))
    const commands = lines.filter((line) => !IS_LEFT_OUT.test(line))
    await paste(commands, live.url, folder)
  },
)

it.each(['testing', 'faults'])(
  'the first example of docs/%s.md prints what its comments say',
  async (name) => {
    const page = readFileSync(join(root, `docs/${name}.md`), 'utf8')
    const [example = ''] = blocksOf(page, 'js')
    const args = ['--input-type=module', '--eval', example]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root })
    const said = Array.from(example.matchAll(/console\.log.*\/\/ ([^:\n]+)/g), ([, word]) => word)
    expect(stdout.trim().split('\n')).toEqual(said)
  },
)

it('the examples of the library compile as they are printed, in a strict TypeScript project', async () => {
  const project = createFolder()
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'))
  mkdirSync(join(project, 'test'))
  const files = ['README.md', 'docs/testing.md', 'docs/explore.md'].flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8')
    return [...blocksOf(text, 'js'), ...blocksOf(text, 'ts')].map((code, at) => {
      const file = `test/${basename(page, '.md')}-${at}.mts`
      writeFileSync(join(project, file), code)
      return file
    })
  })
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      // The files stand among those of the example, which they import.
      rootDirs: ['.', join(root, 'test/examples/wallet')],
      paths: {
        'ramp-sandbox': [join(root, 'src/index.ts')],
        'ramp-sandbox/vitest': [join(root, 'src/vitest.ts')],
      },
    },
    include: [],
    files: [...files, join(root, 'scripts/globals.d.ts')],
  }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(root, 'node_modules/.bin/tsc')
  const { stdout } = await promisify(execFile)(tsc, ['-p', project]).catch((error) => error)
  expect([files.length, stdout]).toEqual([8, ''])
})

const starts = [...pages.values()].flatMap((text) =>
  Array.from(
    text.matchAll(/^npx --no -- ramp-sandbox start ([^#\n]+)/gm),
    ([, options = '']) => options,
  ),
)

it.runIf(isFullDepth).each(starts)('a sandbox starts with %s, as the docs say', async (options) => {
  const env = { RAMP_SANDBOX_CONTROL_TOKEN: 'a-secret-of-16-characters' }
  const { ready } = await startSandbox(options.trim().split(/\s+/), { cwd: folder, env })
  expect(ready.url).toMatch(/^http/)
})

const WITH_LINKS = [
  'README.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  ...readdirSync(join(root, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
]

it.each(WITH_LINKS)('every link of %s leads to a file and a heading that exist', (file) => {
  const text = readFileSync(join(root, file), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '')
  const links = Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => link)
  const isMissing = (link: string) => {
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? join(root, file) : join(root, dirname(file), path)
    return !existsSync(target) || (anchor !== undefined && !anchorsIn(target).includes(anchor))
  }
  expect(links.filter((link) => !/^(https?:|\/)/.test(link)).filter(isMissing)).toEqual([])
})

/** Anchors of the headings, as GitHub makes them. */
const anchorsIn = (path: string) =>
  Array.from(readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm), ([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
