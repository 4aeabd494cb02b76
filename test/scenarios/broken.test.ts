import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import type { Played } from '../../src/control-api/plays.ts'
import { runCommand, startCommand } from '../helpers/command.ts'
import { createFolder } from '../helpers/folder.ts'
import { runInProcess } from '../helpers/in-process.ts'

/** A scenario whose second step, on line 6, is this. */
const stepping = (line: string) => `export default {
  title: 'Planted', description: 'To be judged.',
  async play({ step, expect, api, control, login }) {
    step('The first')
    step('The second')
    ${line}
  },
}
`
const BROKEN: Record<string, { source: string; at: string; message: RegExp }> = {
  throws: {
    source: stepping("throw new Error('boom')"),
    at: 'throws.js:6',
    message: /^It threw Error: boom$/,
  },
  'never-ends': {
    source: stepping('await new Promise(() => undefined)'),
    at: 'never-ends.js:5',
    message: /^The step took longer than [\d.]+ s/,
  },
  'calls-on': {
    source: stepping("for (;;) await control.post('/webhooks/drain')"),
    at: 'calls-on.js:5',
    message: /^The step took longer than [\d.]+ s/,
  },
  'forgets-await': {
    source: stepping("control.post('/clock/advance', { by: 'soon' }); await new Promise(() => 0)"),
    at: 'forgets-await.js:5',
    message: /^An error escaped from it \(is an await missing\?\)/,
  },
  'throws-later': {
    source: stepping(
      "setImmediate(() => { throw new Error('later') }); await new Promise(() => 0)",
    ),
    at: 'throws-later.js:6',
    message: /^An error escaped from it \(is an await missing\?\): Error: later$/,
  },
  'throws-at-once': {
    source: "\nthrow new Error('at once')\n",
    at: 'throws-at-once.js:2',
    message: /^It cannot be loaded: Error: at once$/,
  },
  misspelt: {
    source: 'export default {\n  title: ,\n}\n',
    at: 'misspelt.js:2',
    message: /^It cannot be loaded: SyntaxError: /,
  },
  'exports-nothing': {
    source: 'const scenario = {}\n',
    at: 'exports-nothing.js:1',
    message: /^Its default export is missing or empty; a scenario is `export default \{/,
  },
  'lacks-play': {
    source: "export default { title: 'T', description: 'D' }\n",
    at: 'lacks-play.js:1',
    message: /^Its default export lacks a play function; a scenario is/,
  },
  'calls-nothing': {
    source: stepping('expect(1, 1)'),
    at: '',
    message: /^It made no calls, so nothing was checked\.$/,
  },
  'asks-about-nothing': {
    source: stepping(
      "const { txId } = await api.get('/v2/users'); await webhooks.about(txId)",
    ).replace('login }', 'webhooks }'),
    at: 'asks-about-nothing.js:6',
    message: /^It threw TypeError: webhooks\.about needs an id, not undefined\.$/,
  },
  'starts-nowhere': {
    source: "export default { title: 'T', description: 'D', fixture: 'casts', async play() {} }\n",
    at: 'starts-nowhere.js',
    message: /reset was rejected/,
  },
}

const folder = createFolder()
const names = Object.keys(BROKEN)
/** Those that only a limit of time ends. */
const ENDLESS = ['never-ends', 'calls-on']
const fileOf = (name: string) => join(folder, `${name}.js`)
let codes: unknown[]
let played: Played[]

beforeAll(async () => {
  for (const name of names) writeFileSync(fileOf(name), BROKEN[name]?.source ?? '')
  const rest = names.filter((name) => !ENDLESS.includes(name))
  const ended = await runCommand(['play', ...rest.map(fileOf), '--json'])
  const late = await playEndless()
  codes = [ended.code, late.code]
  played = [ended, late].flatMap(({ out }) => JSON.parse(out).scenarios)
})

/** Plays with more time where a busy machine did not even come to the step that never ends. */
async function playEndless(timeoutMs = 500): ReturnType<typeof runCommand> {
  const args = ['play', ...ENDLESS.map(fileOf), 'limit-value', '--json']
  const ended = await runCommand([...args, '--timeout', `${timeoutMs}ms`])
  const isReached = ended.out.split('The second').length > 2 * ENDLESS.length
  return isReached || timeoutMs > 10_000 ? ended : await playEndless(timeoutMs * 3)
}

it('a scenario that does not work makes the command exit with 2, and the others still run', () => {
  expect(codes).toEqual([2, 2])
  expect(played.map(({ name }) => name).sort()).toEqual([...names, 'limit-value'].sort())
  expect(played.at(-1)).toMatchObject({ name: 'limit-value', outcome: 'passed' })
})

it.each(names)(
  'a scenario that does not work (%s) is named with its line, and what is wrong',
  (name) => {
    const { outcome, problem } = played.find((each) => each.name === name) ?? {}
    expect({ outcome, at: problem?.at }).toEqual({ outcome: 'broken', at: BROKEN[name]?.at })
    expect(problem?.message).toMatch(BROKEN[name]?.message ?? '')
  },
)

it.each(['throws', 'never-ends'])(
  'a scenario that does not work (%s) is reported with the step it was in',
  (name) => {
    const { problem, steps } = played.find((each) => each.name === name) ?? {}
    expect(problem?.step).toBe('The second')
    expect(steps?.map(({ title }) => title).slice(-2)).toEqual(['The first', 'The second'])
  },
)

it.each([
  ['another begins', "control.get('/info'); step('The third')"],
  ['the scenario ends', "control.get('/info')"],
])('a scenario that does not work fails if a call is still running when %s', async (_, line) => {
  const file = join(createFolder(onTestFinished), 'awaits-nothing.js')
  writeFileSync(file, stepping(line))
  const { code, out } = await runInProcess(['play', file])
  expect(out).toContain('✗ The second\n')
  expect(out).toContain('A call was still running when the step ended: is an await missing?')
  expect(out).not.toContain('The third')
  expect(code).toBe(1)
})

it('a scenario that does not work fails if an error escapes after it has ended, while another one is running', async () => {
  const lingers = join(folder, 'lingers.js')
  const waits = join(folder, 'waits.js')
  const throwing = "globalThis.late = () => { throw new Error('late') }"
  writeFileSync(lingers, stepping(`${throwing}; await api.get('/v2/users')`))
  writeFileSync(waits, stepping("setImmediate(globalThis.late); await api.get('/v2/users')"))
  const { code, out } = await runCommand(['play', lingers, waits])
  expect(out).toContain('2 of 2 passed\n')
  expect(out).toContain('An error escaped from lingers after it had ended: Error: late\n')
  expect(code).toBe(2)
})

it('a scenario that never yields is ended by Ctrl-C', async () => {
  const file = join(folder, 'loops.js')
  writeFileSync(file, stepping("process.stdout.write('looping'); for (;;);"))
  const running = startCommand(['play', file])
  await running.says(/looping/)
  running.process.kill('SIGINT')
  expect(await running.ended).toMatchObject({ signal: 'SIGINT' })
})
