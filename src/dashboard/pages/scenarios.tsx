import type { ScenarioSummary } from '../../levers/plays.ts'
import { SETTING_UP } from '../../scenario/types.ts'
import { createListPage } from '../list.tsx'
import { Card, Copy, DetailHead } from '../parts.tsx'
import type { List } from '../rows.ts'
import type { RenderPage, View } from '../view.ts'

type Scenario = ScenarioSummary & { id: string }

export const scenarios: RenderPage = async (view, id) => {
  const response = await view.call('/_sandbox/scenarios')
  const { items } = (await response.json()) as { items: ScenarioSummary[] }
  const rows = items.map((item) => ({ ...item, id: item.name })).reverse()
  return createListPage(listOf(rows))(view, id)
}

const listOf = (rows: Scenario[]): List<Scenario> => ({
  name: 'scenarios',
  title: 'Scenarios',
  noun: 'scenario',
  rows: () => rows,
  find: (_, id) => rows.find(({ name }) => name === id),
  hidden: ({ steps }) => steps,
  filters: [],
  columns: [
    { name: 'Scenario', value: ({ title }) => title },
    { name: 'Steps', kind: 'number', value: ({ steps }) => steps.length },
    { name: 'Name', isSecond: true, value: ({ name }) => name },
    { name: 'About', kind: 'fill', value: ({ description }) => description },
  ],
  detail: showScenario,
  aside: () => <span class="quiet">To try every order, loss and crash, see docs/explore.md</span>,
  empty: { title: 'This sandbox has no scenarios.', body: () => null },
})

const showScenario = ({ name, title, description, steps }: Scenario, view: View) => (
  <>
    <DetailHead title={title}>
      {description} It plays in a fresh world of its own, so nothing here changes.
    </DetailHead>
    <div class="actions">
      <button
        type="button"
        class="button primary"
        data-play={view.link(`/_sandbox/scenarios/${name}/play`)}
      >
        Play
      </button>
      <Copy text={`npx ramp-sandbox play ${name}`} what="this scenario" label="Copy the command" />
    </div>
    <Card title="Steps" aside={<span id={`played-${name}`} role="status" data-played data-keep />}>
      <ol class="flush" id={`steps-${name}`} data-steps data-keep>
        {[SETTING_UP, ...steps].map((step, index) => (
          <li class="step quiet">{`${index + 1}. ${step}`}</li>
        ))}
      </ol>
    </Card>
  </>
)
