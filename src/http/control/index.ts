import type { Operation } from '../operation.ts'
import { catches } from './catch.ts'
import { clock } from './clock.ts'
import { deliveries } from './deliveries.ts'
import { events } from './events.ts'
import { explanations } from './explain.ts'
import { faults } from './faults.ts'
import { hosted } from './hosted.ts'
import { inbox } from './inbox.ts'
import { info } from './info.ts'
import { kybSubmissions } from './kyb-submissions.ts'
import { documents } from './openapi.ts'
import { records } from './records.ts'
import { requests } from './requests.ts'
import { scenarios } from './scenarios.ts'
import { settings } from './settings.ts'
import { simulateTransactions, simulateUsers } from './simulate.ts'
import { state } from './state.ts'
import { stream } from './stream.ts'
import { worlds } from './worlds.ts'

export { control } from './dialect.ts'

export const controlOperations: readonly Operation[] = [
  ...info,
  ...clock,
  ...state,
  ...simulateUsers,
  ...simulateTransactions,
  ...records,
  ...kybSubmissions,
  ...inbox,
  ...events,
  ...stream,
  ...deliveries,
  ...explanations,
  ...catches,
  ...requests,
  ...settings,
  ...faults,
  ...worlds,
  ...scenarios,
  ...hosted,
  ...documents,
]
