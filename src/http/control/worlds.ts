import * as z from 'zod'
import { DomainError } from '../../world/domain-error.ts'
import { formatInstant } from '../../world/duration.ts'
import { titled } from '../titled.ts'
import { operation } from './dialect.ts'
import { ListOf, toList } from './page.ts'
import { baseUrlOf, WorldTime } from './shapes.ts'

const WorldRow = () =>
  titled('World', {
    name: z.string(),
    baseUrl: z.url(),
    now: WorldTime(),
    transactions: z.int(),
  })

export const worlds = [
  operation('GET', '/_sandbox/worlds', {
    id: 'listWorlds',
    summary: 'List the worlds of this process',
    answer: () => ListOf(WorldRow()),
    handle({ c, who: { lease } }) {
      const all = c.env.control.worlds.list()
      const visible = lease ? all.filter(({ name }) => name === lease.world) : all
      const items = visible.map(({ name, now, transactions }) => {
        const prefix = name === 'default' ? '' : `/w/${name}`
        return { name, baseUrl: baseUrlOf(c, prefix), now: formatInstant(now), transactions }
      })
      return toList(items)
    },
  }),
  operation('DELETE', '/_sandbox/worlds/:name', {
    id: 'deleteWorld',
    summary: 'End a world; its base URL makes a new one on next use',
    answer: () => z.strictObject({ deleted: z.string() }),
    errors: {
      'not-found': 'There is no such world.',
      conflict: 'The world default stays.',
    },
    async handle({ c, who: { lease }, param }) {
      const name = param('name')
      if (lease && lease.world !== name) {
        throw new DomainError('not-found', 'name', `There is no world ${name}.`)
      }
      await c.env.control.worlds.delete(name)
      return { deleted: name }
    },
  }),
]
