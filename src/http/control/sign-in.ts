import { setCookie } from 'hono/cookie'
import { TOKEN_COOKIE } from '../operation-description.ts'
import { bearerTokenIn } from './auth.ts'
import { operation } from './dialect.ts'
import { baseUrlOf } from './shapes.ts'

export const signIn = [
  operation('POST', '/_sandbox/sign-in', {
    id: 'signIn',
    summary: 'Keep the control token in a cookie, for the inspector',
    about:
      'Keeps the control token of the header `Authorization` in a cookie, so that the inspector need not ask for it again. Without a control token it does nothing.',
    success: 'The cookie is set, where a token was sent.',
    status: 204,
    handle({ c, who: { isMain }, header }) {
      const token = bearerTokenIn({ header })
      // At a private world any token is let in; a wrong one must not hide the cookie of another.
      if (token === undefined || !isMain) return new Response(null, { status: 204 })
      const { protocol } = new URL(baseUrlOf(c))
      const path = `${c.env.site?.path ?? ''}/`
      const secure = protocol === 'https:'
      setCookie(c, TOKEN_COOKIE, token, { path, secure, httpOnly: true, sameSite: 'Strict' })
      return c.body(null, 204)
    },
  }),
]
