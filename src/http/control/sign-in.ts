import { setCookie } from 'hono/cookie'
import { TOKEN_COOKIE } from '../operation-description.ts'
import { bearerTokenIn } from './auth.ts'
import { baseUrlOf } from './context.ts'
import { operation } from './dialect.ts'

export const signIn = [
  operation('POST', '/_sandbox/sign-in', 'signIn', {
    summary: 'Keep the control token in a cookie, for the inspector',
    about:
      'Takes the token from the `Authorization` header, so that the inspector does not ask for it again. Without a control token it does nothing.',
    success: 'The cookie is set, if a token was sent.',
    status: 204,
    handle({ c, who: { isMain }, header }) {
      const token = bearerTokenIn({ header })
      // A private world accepts any token, and a wrong one must not replace a good cookie.
      c.header('x-sandbox-version', c.env.control.version)
      if (token === undefined || !isMain) return c.body(null, 204)
      const path = `${c.env.site?.path ?? ''}/`
      const secure = baseUrlOf(c).startsWith('https:')
      setCookie(c, TOKEN_COOKIE, token, { path, secure, httpOnly: true, sameSite: 'Strict' })
      return c.body(null, 204)
    },
  }),
]
