import type { Exchange } from './provider.ts'

/** Every call of a run, as the sandbox itself got it. */
export function formatPlan(exchanges: readonly Exchange[]): string {
  const lines = exchanges.map(({ route, path, options, step }) => {
    const [method] = route.split(' ')
    const { body, key = 'first', token } = options
    const credentials = [key === 'none' ? 'no key' : `${key} key`, ...(token ? ['token'] : [])]
    const sent = body === undefined ? '' : ` ${JSON.stringify(body)}`
    return `${method} ${decodeURIComponent(path)}${sent} (${step}; ${credentials.join(', ')})`
  })
  return [
    ...lines,
    '',
    `${lines.length} calls, if the provider answers as the sandbox does. Where a bound is another`,
    'one, a search for it makes up to ten more of the same call. Ids are those of the sandbox.',
    '',
  ].join('\n')
}
