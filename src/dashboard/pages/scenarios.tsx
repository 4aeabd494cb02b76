import { Card, Copy, Empty } from '../parts.tsx'
import { RowLink, Split } from '../split.tsx'
import type { RenderPage, View } from '../view.ts'

interface Summary {
  name: string
  title: string
  description: string
}

export const scenarios: RenderPage = async (view, id) => {
  const answer = await view.call('/_sandbox/scenarios')
  const { items } = (answer.ok ? await answer.json() : { items: [] }) as { items: Summary[] }
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
        count={String(items.length)}
        detail={chosen && <Chosen view={view} scenario={chosen} />}
      >
        {items.length === 0 && <Empty title="No scenarios came with this sandbox." />}
        {items.length > 0 && (
          <table class="rows">
            <thead>
              <tr>
                <th class="first">Scenario</th>
                <th class="second">Name</th>
              </tr>
            </thead>
            <tbody>
              {items.map((item) => (
                <tr key={item.name} class={item === chosen ? 'chosen' : ''}>
                  <td class="first">
                    <RowLink view={view} name="scenarios" id={item.name} isChosen={item === chosen}>
                      {item.title}
                    </RowLink>
                  </td>
                  <td class="second">{item.name}</td>
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
  scenario: { name, title, description },
}: {
  view: View
  scenario: Summary
}) => (
  <>
    <header class="detail-head">
      <div class="line">
        <h1>{title}</h1>
      </div>
      <p class="quiet">{description}</p>
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
        <li class="step quiet">
          Not played yet. It plays in a fresh world of its own, so nothing here changes.
        </li>
      </ol>
    </Card>
  </>
)
