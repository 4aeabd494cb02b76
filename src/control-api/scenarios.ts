import * as z from 'zod'
import { Listed, ListOf } from './pages.ts'
import { PlayedHere, ScenarioSummary } from './plays.ts'
import { EVENT_STREAM } from './shapes.ts'

const PlayScenario = () => ({
  webhookUrl: z
    .string()
    .optional()
    .describe('URL that also receives the webhooks of the scenario.'),
  keepWorld: z
    .boolean()
    .optional()
    .describe('Keep the world of the scenario; the last five are kept.'),
})

export const scenarios = {
  'scenarios.list': {
    id: 'listScenarios',
    method: 'GET',
    path: '/scenarios',
    result: 'items',
    summary: 'List the built-in scenarios',
    about: '`playScenario` plays one.',
    query: () => Listed(),
    response: () => ListOf(ScenarioSummary()),
  },
  'scenarios.play': {
    id: 'playScenario',
    method: 'POST',
    path: '/scenarios/:name/play',
    limitMs: 600_000,
    params: { name: 'Name of the scenario.' },
    summary: 'Play a scenario in a fresh world and return its result',
    about:
      'Responds when the scenario has ended. With `Accept: text/event-stream` the steps are sent as they are played. This world does not change.',
    done: null,
    success: 'The result; `outcome` says whether it passed.',
    body: PlayScenario,
    response: PlayedHere,
    alsoMedia: EVENT_STREAM,
    errors: {
      'host-not-allowed': 'A private world cannot play scenarios.',
      'not-found': 'There is no such scenario.',
      conflict:
        'The sandbox is not listening on a port, so no webhook of the scenario could arrive.',
    },
  },
} as const
