import * as z from 'zod'
import { sendLoginCode, verifyLoginCode } from '../../world/login.ts'
import { requireApiKey } from '../auth.ts'
import { isFull, NOTHING_SENT } from '../contract.ts'
import { titled } from '../titled.ts'
import { operation } from './dialect.ts'

const SendLoginCode = () => z.object({ email: z.string() })
const VerifyLoginCode = () =>
  z.object({
    email: z.string(),
    code: z.string().regex(/^\d{4}$/, { error: 'must be 4 digits, as a string' }),
  })
const AccessToken = () =>
  titled('AccessToken', {
    accessToken: z.string(),
    tokenType: z.literal('Bearer'),
    expiresIn: z.int(),
  })

export const login = [
  operation('POST', '/v2/auth/login-codes', {
    id: 'sendLoginCode',
    summary: 'Send a 4-digit login code to a verified user',
    about:
      'Sends a code of 4 digits to a user who is registered and verified. In this sandbox it arrives at `GET /_sandbox/inbox?kind=login-code`. Only the newest code of a user works, once and for a while; `verifyLoginCode` exchanges it for an access token.',
    success: 'The code was sent.',
    adds: true,
    ref: 'Endpoints: Login, POST /auth/login-codes',
    auth: requireApiKey,
    body: SendLoginCode,
    answer: () => z.strictObject({ message: z.string().optional() }),
    handle({ world, who, input, record }) {
      if (!sendLoginCode(world, who.integrator, input.body.email)) record.note(NOTHING_SENT)
      return isFull(world, 'sendLoginCode') ? { message: 'Login code sent to user' } : {}
    },
  }),
  operation('POST', '/v2/auth/login-codes/verify', {
    id: 'verifyLoginCode',
    summary: 'Exchange a login code for an access token',
    about:
      'Exchanges the code that `sendLoginCode` sent for an access token, with which you act for the user. Each code works once, and too many wrong ones spend it. When the token has expired, send a new code. A login links you to the user: from then on you are sent its `user.update`.',
    success: 'The user is logged in: here is the token.',
    ref: 'Endpoints: Login, POST /auth/login-codes/verify',
    auth: requireApiKey,
    body: VerifyLoginCode,
    answer: AccessToken,
    handle({ world, services, who, input }) {
      const attempt = { ...input.body, wallNow: services.wallClock() }
      const session = verifyLoginCode(world, who.integrator, attempt)
      const expiresIn = session.exp - session.iat
      const accessToken = services.tokens.issue(session)
      return { accessToken, tokenType: 'Bearer', expiresIn } as const
    },
  }),
]
