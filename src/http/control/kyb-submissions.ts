import * as z from 'zod'
import { formatInstant } from '../../world/duration.ts'
import type { KybSubmission } from '../../world/state.ts'
import { titled } from '../titled.ts'
import { lever } from './dialect.ts'
import { Count, Cursor, PageOf, readPage } from './page.ts'

const KybRecord = () =>
  titled('KybSubmission', {
    id: z.string(),
    integrator: z.string(),
    at: z.iso.datetime(),
    submission: z.record(z.string(), z.unknown()),
  })

export const kybSubmissions = [
  lever('kybSubmissions.list', {
    id: 'listKybSubmissions',
    summary: 'List corporate verifications, oldest first',
    about:
      'Lists what was sent to `POST /submitKYB`, the oldest first. Of the documents only name, type, size and SHA-256 are kept.',
    success: 'A page of submissions.',
    query: () => z.strictObject({ after: Cursor(), limit: Count() }),
    answer: () => PageOf(KybRecord()),
    handle({ world, input }) {
      const page = { matches: () => true, present: presentSubmission }
      const total = world.kybSubmissions.length
      return { total, ...readPage(world.kybSubmissions, input.query, page) }
    },
  }),
]

/** Of the documents in it, the world keeps only what identifies them. */
function presentSubmission({ id, integrator, at, submission }: KybSubmission) {
  return { id, integrator, at: formatInstant(at), submission }
}
