const LOOPBACK = ['localhost', '127.0.0.1', '::1']

/**
 * Adds loopback to what goes past an outbound proxy, for this process and for what it starts: a proxy
 * elsewhere would ask itself for the sandbox. Programs disagree about the case of the name.
 */
export function bypassProxyForLoopback(env: NodeJS.ProcessEnv): void {
  const hosts = (env.no_proxy ?? env.NO_PROXY ?? '').split(/[\s,]+/).filter((host) => host !== '')
  if (hosts.includes('*')) return
  const all = [...new Set([...hosts, ...LOOPBACK])].join(',')
  env.no_proxy = all
  env.NO_PROXY = all
}
