import type { JsonSchema } from '../dialect.ts'
import { type Credential, type Credentials, TOKEN_COOKIE } from '../operation-description.ts'

const SCHEMES: Readonly<Record<Credential, JsonSchema>> = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: "The integrator's key (contract, Authentication: 1).",
  },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The token of a user who logged in (contract, Authentication: 2).',
  },
  controlToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'Only where the sandbox was started with `--control-token`.',
  },
  controlCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: TOKEN_COOKIE,
    description: 'The same token, as the inspector keeps it.',
  },
}

export const credentialSchemes = (names: readonly Credential[]): JsonSchema =>
  Object.fromEntries(names.map((name) => [name, SCHEMES[name]]))

export const toSecurity = (takes: Credentials): JsonSchema[] =>
  takes.map((set) => Object.fromEntries(set.map((name) => [name, []])))
