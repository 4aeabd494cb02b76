const ON_LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\]):\d+(\/|$)/i

/** `localhost:3000/hooks`, as people type it, is `http://localhost:3000/hooks`. */
export const withScheme = (url: string): string => (ON_LOOPBACK.test(url) ? `http://${url}` : url)
