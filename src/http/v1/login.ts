import * as z from 'zod'
import { sendLoginCode, verifyLoginCode } from '../../world/login.ts'
import { requireApiKey } from '../auth.ts'
import { NOTHING_SENT } from '../contract.ts'
import { succeeded } from '../unversioned.ts'
import { operation } from './dialect.ts'

const VerifyLoginCode = () =>
  z.object({
    email: z.string(),
    login_code: z.string().regex(/^\d{4}$/, { error: 'must be 4 digits' }),
  })

export const login = [
  operation('POST', '/loginCodeSend', {
    id: 'v1SendLoginCode',
    like: ['sendLoginCode'],
    summary: 'Send a 4-digit login code to a verified user (v1)',
    about:
      'Sends a code of 4 digits to a user who is registered and verified. In this sandbox it arrives at `GET /_sandbox/inbox?kind=login-code`; `v1VerifyLoginCode` exchanges it for an access token.',
    success: 'The code was sent.',
    adds: true,
    ref: 'Endpoints: Legacy v1 endpoints, POST /loginCodeSend',
    successor: 'POST /v2/auth/login-codes',
    auth: requireApiKey,
    query: () => z.object({ email: z.string() }),
    answer: () => z.strictObject(succeeded('Login code sent to user')),
    handle({ world, who, input, record }) {
      if (!sendLoginCode(world, who.integrator, input.query.email)) record.note(NOTHING_SENT)
      return { message: 'Login code sent to user', status: 'success' } as const
    },
  }),
  operation('POST', '/loginCodeVerify', {
    id: 'v1VerifyLoginCode',
    like: ['verifyLoginCode'],
    summary: 'Exchange a login code for an access token (v1)',
    about:
      'Exchanges the newest login code of a user for an access token. Each code works once. The token is the same as that of v2 and is accepted by both versions.',
    success: 'The user is logged in: here is the token.',
    ref: 'Endpoints: Legacy v1 endpoints, POST /loginCodeVerify',
    successor: 'POST /v2/auth/login-codes/verify',
    auth: requireApiKey,
    query: VerifyLoginCode,
    answer: () =>
      z.strictObject({
        ...succeeded('Email code validated'),
        token: z.jwt({ alg: 'HS256' }),
      }),
    handle({ world, services, who, input }) {
      const { email, login_code: code } = input.query
      const wallNow = services.wallClock()
      const session = verifyLoginCode(world, who.integrator, { email, code, wallNow })
      return {
        message: 'Email code validated',
        status: 'success',
        token: services.tokens.issue(session),
      } as const
    },
  }),
]
