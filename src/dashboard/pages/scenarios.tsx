import type { ScenarioSummary } from '../../http/plays.ts'
import { plural } from '../format.ts'
import { Card, Copy, Empty } from '../parts.tsx'
import { RowLink, Split } from '../split.tsx'
import type { RenderPage, View } from '../view.ts'

export const scenarios: RenderPage = async (view, id) => {
  const answer = await view.call('/_sandbox/scenarios')
  const { items } = (answer.ok ? await answer.json() : { items: [] }) as {
    items: ScenarioSummary[]
  }
  const chosen = items.find(({ name }) => name === id)
  if (id !== undefined && !chosen) return undefined
  return {
    title: chosen?.title ?? 'Scenarios',
    part: 'Scenarios',
    body: (
      <Split
        view={view}
        name="scenarios"
        title="Scenarios"
        noun="scenario"
        count={plural(items.length, 'scenario')}
        aside={
          items.length > 0 && (
            <>
              <span id="played-all" class="quiet" role="status" data-keep />
              <button type="button" class="button" data-play-all>
                Play all
              </button>
            </>
          )
        }
        detail={chosen && <Chosen view={view} scenario={chosen} />}
      >
        {items.length === 0 && <Empty title="No scenarios came with this sandbox." />}
        {items.length > 0 && (
          <table class="rows">
            <thead>
              <tr>
                <th class="first">Scenario</th>
                <th class="second">Name</th>
                <th class="number">Steps</th>
                <th class="mark">Outcome</th>
              </tr>
            </thead>
            <tbody>
              {items.map((item) => (
                <tr class={item === chosen ? 'chosen' : ''}>
                  <td class="first">
                    <RowLink view={view} name="scenarios" id={item.name} isChosen={item === chosen}>
                      {item.title}
                    </RowLink>
                  </td>
                  <td class="second">{item.name}</td>
                  <td class="number">{String(item.steps.length)}</td>
                  <td
                    class="mark"
                    id={`outcome-${item.name}`}
                    data-outcome={view.link(`/_sandbox/scenarios/${item.name}/play`)}
                    data-keep
                  />
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Split>
    ),
  }
}

const Chosen = ({
  view,
  scenario: { name, title, description, steps },
}: {
  view: View
  scenario: ScenarioSummary
}) => (
  <>
    <header class="detail-head">
      <div class="line">
        <h1>{title}</h1>
      </div>
      <p class="quiet">
        {description} It plays in a fresh world of its own, so nothing here changes.
      </p>
      <div class="actions">
        <button
          type="button"
          class="button primary"
          data-play={view.link(`/_sandbox/scenarios/${name}/play`)}
        >
          Play
        </button>
        <Copy
          text={`npx ramp-sandbox play ${name}`}
          what="this scenario"
          label="Copy the command"
        />
      </div>
    </header>
    <Card title="Steps" aside={<span id={`played-${name}`} role="status" data-played data-keep />}>
      <ol class="flush" id={`steps-${name}`} data-steps data-keep>
        {['A fresh world', ...steps].map((step, index) => (
          <li class="step quiet">{`${index + 1}. ${step}`}</li>
        ))}
      </ol>
    </Card>
  </>
)
