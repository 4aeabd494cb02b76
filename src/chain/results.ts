/** What a method of a node answers, looked at before anything trusts it. */
export type Is<Result> = (value: unknown) => value is Result

/** A length, number or id within what a number holds exactly. */
export const isQuantity: Is<string> = (value) => isText(value, /^0x[0-9a-f]{1,13}$/i)
/** A number of up to 256 bits. */
export const isBigQuantity: Is<string> = (value) => isText(value, /^0x[0-9a-f]{1,64}$/i)
export const isAddress: Is<string> = (value) => isText(value, /^0x[0-9a-f]{40}$/i)
/** A hash, or any other 32 bytes. */
export const isWord: Is<string> = (value) => isText(value, /^0x[0-9a-f]{64}$/i)
export const isBytes: Is<string> = (value): value is string =>
  isText(value, /^0x/) && value.length % 2 === 0 && !/[^0-9a-f]/i.test(value.slice(2))
export const isAnything: Is<unknown> = (_): _ is unknown => true

export const listOf =
  <Item>(isItem: Is<Item>): Is<Item[]> =>
  (value): value is Item[] =>
    Array.isArray(value) && value.every(isItem)

export const orNull =
  <Result>(is: Is<Result>): Is<Result | null> =>
  (value): value is Result | null =>
    value === null || is(value)

/** An object that has at least these fields. */
export const objectOf =
  <Fields extends object>(fields: { [Name in keyof Fields]: Is<Fields[Name]> }): Is<Fields> =>
  (value): value is Fields =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries<Is<unknown>>(fields).every(([name, is]) => is(Reflect.get(value, name)))

const isText = (value: unknown, pattern: RegExp): value is string =>
  typeof value === 'string' && pattern.test(value)
