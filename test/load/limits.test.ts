import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CAUGHT_LENGTH_MAX } from '../../src/engine/catcher.ts'
import { FEED_MAX, FOLLOWERS_MAX } from '../../src/engine/feed.ts'
import { REQUESTS_LENGTH_MAX, REQUESTS_MAX } from '../../src/engine/request-journal.ts'
import { SNAPSHOTS_BYTES_MAX } from '../../src/engine/snapshots.ts'
import { ROWS_MAX } from '../../src/engine/watch.ts'
import { PROBLEMS_MAX } from '../../src/fixture/zod-problems.ts'
import { WORLDS_MAX } from '../../src/host/errors.ts'
import { PIPELINED_MAX, UNREAD_BYTES_MAX } from '../../src/host/turns.ts'
import { KEPT_MAX } from '../../src/http/request-body.ts'
import { EXPORTS_BYTES_MAX } from '../../src/store/export-document.ts'
import { ANSWERS_LENGTH_MAX } from '../../src/webhooks/budget.ts'
import { WAITING_MAX } from '../../src/webhooks/outbox.ts'
import { QUEUE_MAX } from '../../src/webhooks/queue.ts'
import { SETTINGS_MAX } from '../../src/world/settings/index.ts'
import { EVENTS_MAX, MESSAGES_MAX } from '../../src/world/world.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/limits.md'), 'utf8')
const MIB = 1024 * 1024

it.each([
  ['worlds in a process', [WORLDS_MAX]],
  ['events, messages', [EVENTS_MAX, MESSAGES_MAX]],
  ['deliveries waiting', [QUEUE_MAX, WAITING_MAX]],
  ['receiver', [`${ANSWERS_LENGTH_MAX / MIB} MiB in all`]],
  [
    'calls in the request journal',
    [REQUESTS_MAX, `${KEPT_MAX / 1024} KiB`, `${REQUESTS_LENGTH_MAX / MIB} MiB`],
  ],
  ['catches', [`${CAUGHT_LENGTH_MAX / MIB} MiB`]],
  ['states that are read', [`${EXPORTS_BYTES_MAX / MIB} MiB`]],
  ['snapshots of a world', [`${SNAPSHOTS_BYTES_MAX / MIB} MiB`]],
  ['calls that wait', [FOLLOWERS_MAX]],
  ['a stream can be behind', [FEED_MAX]],
  ['rows in a list', [ROWS_MAX]],
  ['problems', [PROBLEMS_MAX]],
  ['settings given', [SETTINGS_MAX]],
  ['pipelined', [PIPELINED_MAX]],
  ['answers that their clients', [`${UNREAD_BYTES_MAX / MIB} MiB`]],
])('the page about limits is right about %s', (what, limits) => {
  const row = PAGE.split('\n').find((line) => line.startsWith('|') && line.includes(what))
  for (const limit of limits) expect(row).toContain(limit.toLocaleString('en'))
})
