import { SETTING_IDS, type SettingId, settingOf } from '../../world/settings/index.ts'
import { plural } from '../format.ts'
import { Act, CallForm, Input } from '../forms.tsx'
import { Card, Empty, PageHead, Ticked } from '../parts.tsx'
import { createMatcher } from '../rows.ts'
import { SearchForm } from '../split.tsx'
import type { RenderPage, View } from '../view.ts'

export const settings: RenderPage = (view) => {
  const shown = findSettings(view)
  const areas = byArea(shown)
  const changed = shown.filter((id) => isChanged(view, id)).length
  return {
    title: 'Settings',
    body: (
      <>
        <PageHead title="Settings" count={`${plural(shown.length, 'setting')}, ${changed} changed`}>
          <p>
            What the contract states, and what this sandbox assumes where the contract leaves
            something open. A change takes effect at once, in this world only; what is already
            scheduled stays as it is.
          </p>
        </PageHead>
        <SearchForm view={view} name="settings" label="Find in settings">
          <label class="check">
            <input type="checkbox" name="changed" value="only" checked={isOnlyChanged(view)} />
            Changed only
          </label>
        </SearchForm>
        <div class="contents-aside">
          <nav class="contents" aria-label="Contents">
            {[...areas].map(([area, ids]) => (
              <a href={`#settings-${area}`}>
                {nameOfArea(area)} <span class="quiet">{String(ids.length)}</span>
              </a>
            ))}
          </nav>
          <div class="columns">
            {[...areas].map(([area, ids]) => (
              <Card title={nameOfArea(area)} id={`settings-${area}`}>
                <ul class="settings flush">{ids.map((id) => showSetting(view, id))}</ul>
              </Card>
            ))}
            {shown.length === 0 && (
              <Empty title="No setting matches.">
                <a href={view.page('settings')}>Show all</a>
              </Empty>
            )}
          </div>
        </div>
      </>
    ),
  }
}

/** Names of areas that differ from their prefix in setting ids. */
const AREAS: ReadonlyMap<string, string> = new Map([
  ['auth', 'Credentials'],
  ['cors', 'CORS'],
  ['kyc', 'Identity checks'],
  ['status', 'Status codes'],
  ['v1', 'API v1'],
])

const nameOfArea = (area: string): string =>
  AREAS.get(area) ?? area.replace(/^./, (first) => first.toUpperCase())

const isOnlyChanged = ({ query }: View) => query.get('changed') === 'only'

export function findSettings(view: View): SettingId[] {
  const hasWords = createMatcher(view.query.get('q'))
  return SETTING_IDS.filter(
    (id) =>
      (!hasWords || hasWords(textsOf(view, id))) && (!isOnlyChanged(view) || isChanged(view, id)),
  )
}

function byArea(ids: readonly SettingId[]): Map<string, SettingId[]> {
  const areas = new Map<string, SettingId[]>()
  for (const id of ids) {
    const [area = ''] = id.split('.')
    areas.set(area, [...(areas.get(area) ?? []), id])
  }
  return areas
}

function textsOf({ world }: View, id: SettingId) {
  const { question, why, ref, stated, format } = settingOf(id)
  return [id, question, why, ref, SOURCES[stated ? 1 : 0], format(world.settings[id])]
}

const SOURCES = ['our assumption', 'stated by the contract']

const isChanged = ({ world: { settings } }: View, id: SettingId) =>
  settings[id] !== settingOf(id).default

function showSetting(view: View, id: SettingId) {
  const { question, why, ref, stated, options, format } = settingOf(id)
  const value = format(view.world.settings[id])
  const standard = format(settingOf(id).default)
  const changed = isChanged(view, id)
  const isChoice = typeof options !== 'string'
  return (
    <li class={changed ? 'changed' : ''} id={`setting-${id}`}>
      <div>
        <p class="question">
          <Ticked text={question} />
        </p>
        <p class="quiet">
          <Ticked text={why} />
        </p>
        <p class="sub">
          <code>{id}</code>
          <span>{ref}</span>
          <span>{SOURCES[stated ? 1 : 0]}</span>
        </p>
      </div>
      <div class="stack">
        <CallForm call="PATCH /_sandbox/settings" done={`${id} changed`} flat instant={isChoice}>
          <Input
            name={id}
            value={String(value)}
            label={question}
            {...(isChoice ? { options: options.map(String) } : { title: options, required: true })}
          />
        </CallForm>
        {changed && (
          <Act
            call="PATCH /_sandbox/settings"
            body={{ [id]: null }}
            done={`${id} is back to ${standard}`}
          >
            {`Back to ${standard}`}
          </Act>
        )}
      </div>
    </li>
  )
}
