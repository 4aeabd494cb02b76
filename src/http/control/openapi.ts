import type { Context } from 'hono'
import * as z from 'zod'
import { loadLater } from '../load-later.ts'
import { authentication } from '../operation.ts'
import type { Env } from '../services.ts'
import { requireControl } from './auth.ts'
import { operation } from './dialect.ts'
import { baseUrlOf } from './shapes.ts'

const loadDocuments = loadLater(() => import('../openapi/index.ts'))

const Document = () => z.looseObject({ openapi: z.literal('3.1.0') })

/** The contract is no secret, so its document needs no token. */
const requireNoToken = authentication({ takes: [[]], errors: {} }, () => undefined)

/** The documents are made on request, and the code that makes them is loaded then. */
export const documents = [
  operation({
    id: 'getContractDocument',
    method: 'GET',
    path: '/openapi.json',
    summary: 'Read the OpenAPI document of the contract, under the settings of this world',
    auth: requireNoToken,
    answer: Document,
    async handle({ c }) {
      const { describeContract } = await loadDocuments()
      return describeContract(optionsOf(c))
    },
  }),
  operation({
    id: 'getControlDocument',
    method: 'GET',
    path: '/_sandbox/openapi.json',
    summary: 'Read the OpenAPI document of the control API',
    auth: requireControl,
    answer: Document,
    async handle({ c }) {
      const { describeControl } = await loadDocuments()
      return describeControl(optionsOf(c))
    },
  }),
]

function optionsOf(c: Context<Env>) {
  const { control, services } = c.env
  const { operations, version } = control
  return { operations, version, settings: services.world.settings, baseUrl: baseUrlOf(c) }
}
