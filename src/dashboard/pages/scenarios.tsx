import { Card, Copy, Empty } from '../parts.tsx'
import type { Draw, View } from '../view.ts'

interface Summary {
  name: string
  title: string
  description: string
}

/** Scripts of the outside world, each played in a fresh world of its own. */
export const scenarios: Draw = async (view, id) => {
  const answer = await view.visit.call('/_sandbox/scenarios')
  const { items } = (answer.ok ? await answer.json() : { items: [] }) as { items: Summary[] }
  const chosen = items.find(({ name }) => name === id)
  if (id !== undefined && !chosen) return undefined
  return {
    title: chosen?.title ?? 'Scenarios',
    part: 'Scenarios',
    body: (
      <div class={`split ${chosen ? 'chosen' : ''}`}>
        <section class="list" aria-label="Scenarios">
          <header class="list-head">
            <h1>Scenarios</h1>
            <span class="quiet">{items.length}</span>
          </header>
          {items.length > 0 ? (
            <ol class="rows">
              {items.map(({ name, title }) => (
                <li key={name}>
                  <a
                    class="row-link"
                    id={`row-${name}`}
                    href={view.page(`scenarios/${name}`)}
                    aria-current={name === id ? 'true' : undefined}
                  >
                    <span class="first">{title}</span>
                    <span />
                    <span class="second">{name}</span>
                  </a>
                </li>
              ))}
            </ol>
          ) : (
            <Empty title="No scenarios came with this sandbox." />
          )}
        </section>
        {chosen && <Chosen view={view} scenario={chosen} />}
      </div>
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
  <article class="detail" aria-label="Chosen scenario">
    <a class="back" href={view.page('scenarios')}>
      All scenarios
    </a>
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
  </article>
)
