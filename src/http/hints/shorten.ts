/** The beginning of a long text, as a copy: a slice would keep the whole alive. */
export function shorten(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : `${Buffer.from(text.slice(0, lengthMax)).toString()}…`
}
