import type { SignatureProblem } from './problem.ts'

const RAW =
  'Verify the raw bytes, before anything parses them: express.raw(), request.text(), get_data().'

/** How a body differs from the one that was signed; undefined when it does not. */
export function tellDifference(given: string, signed: string): SignatureProblem | undefined {
  if (given === signed) return undefined
  if (given.trimEnd() === signed.trimEnd()) return reserialised(given, signed)
  if (given === '') return changed('body-missing', 'The body is empty.')
  if (given.length < signed.length && signed.startsWith(given)) {
    return changed(
      'body-cut',
      `The body ends after ${given.length} of ${signed.length} characters.`,
    )
  }
  if (Buffer.from(given, 'latin1').toString() === signed) {
    return changed('body-charset', 'The body is UTF-8 that was read as Latin-1.')
  }
  const [ours, theirs] = [parse(signed), parse(given)]
  if (theirs === undefined) return changed('body-changed', 'The body is not JSON any more.')
  const place = findDifference(ours, theirs, '')
  if (place === undefined) return reserialised(given, signed)
  return changed('body-changed', `The body was changed after it was signed, at ${place}.`)
}

const changed = (code: string, message: string): SignatureProblem => ({ code, message, hint: RAW })

function reserialised(given: string, signed: string): SignatureProblem {
  const how = [
    endOf(given) !== endOf(signed) && 'white space at its end',
    isReordered(given, signed) && 'the order of its fields',
    gapsOf(given) !== gapsOf(signed) && 'white space between its parts',
    escapesOf(given) !== escapesOf(signed) && 'escapes in its texts',
  ].filter((part) => part !== false)
  const what = how.length > 0 ? how.join(', ') : 'the spelling of its values'
  return {
    code: 'body-reserialised',
    message: `The body says the same as what was signed, but was written anew: another is ${what}.`,
    hint: RAW,
  }
}

const endOf = (text: string) => /\s*$/.exec(text)?.[0]
const escapesOf = (text: string) => text.match(/\\(u[0-9a-f]{4}|\/)/gi)?.length ?? 0
/** White space outside of texts, but for the end. */
const gapsOf = (text: string) => text.trimEnd().replace(/"(?:\\.|[^"\\])*"|\S/g, '')

function isReordered(given: string, signed: string) {
  return JSON.stringify(parse(given)) !== JSON.stringify(parse(signed))
}

/** `undefined` stands for what is no JSON, which JSON itself cannot say. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Where two values first differ, whatever the order of fields. */
function findDifference(ours: unknown, theirs: unknown, path: string): string | undefined {
  if (!isObject(ours) || !isObject(theirs)) {
    return Object.is(ours, theirs) ? undefined : path || 'its beginning'
  }
  for (const name of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    const below = path === '' ? name : `${path}.${name}`
    if (!Object.hasOwn(ours, name) || !Object.hasOwn(theirs, name)) return below
    const place = findDifference(ours[name], theirs[name], below)
    if (place !== undefined) return place
  }
  return Array.isArray(ours) === Array.isArray(theirs) ? undefined : path
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object'
