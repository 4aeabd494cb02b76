import type { Wire } from '../../control-api/wire.ts'
import { Act, Field, Form } from '../lib/form.tsx'
import { formatDistance, formatInstant } from '../lib/format.ts'
import { useRead } from '../lib/live.ts'
import { prefixOf, world } from '../lib/page.ts'
import { page, query, urlOf } from '../lib/router.ts'

type WorldRow = Wire['worlds.list']['response']['items'][number]

const WORLDS_SHOWN = 100

/** The worlds of this sandbox, with a form that opens another one. */
export const Worlds = () => {
  const { items = [] } = useRead<'worlds.list'>('/worlds').data ?? {}
  const left = items.length - WORLDS_SHOWN
  const open = async ({ name }: Record<string, unknown>) => {
    location.assign(`${prefixOf(encodeURIComponent(String(name)))}/_sandbox/`)
    return []
  }
  return (
    <>
      <ul class="stack" id="worlds-listed">
        {items.slice(0, WORLDS_SHOWN).map((row) => (
          <WorldLink key={row.name} {...row} />
        ))}
        {left > 0 && <li class="quiet">{`and ${left} more`}</li>}
      </ul>
      <Form submit="Open" onSend={open}>
        <Field isBare name="name" required placeholder="worker-1" label="Name of a world" />
      </Form>
      <p class="hint">
        A world is created the first time you use <code>/w/name</code> after the base URL.
      </p>
      <a href={urlOf('world')}>Clock and world</a>
    </>
  )
}

const WorldLink = ({ name, now: at, mode, fixture, calledAt }: WorldRow) => {
  const base = prefixOf(name)
  // Without the chosen row, which exists only here.
  const path = urlOf(page.value, query.value).slice(world.prefix.length)
  const called = calledAt
    ? `called ${formatDistance(Date.parse(calledAt), Date.now())}`
    : 'no calls'
  return (
    <li>
      {/* Another world is another page, so the link is followed by the browser. */}
      <a
        href={base + path}
        target="_self"
        aria-current={base === world.prefix ? 'true' : undefined}
      >
        {name}
      </a>
      <p class="quiet">{`${formatInstant(Date.parse(at))} ${mode} · ${fixture} · ${called}`}</p>
      {name !== 'default' && name !== world.name && (
        <Act call={`DELETE /worlds/${name}`} sure="End it?" done={`World ${name} ended`}>
          End
        </Act>
      )}
    </li>
  )
}
