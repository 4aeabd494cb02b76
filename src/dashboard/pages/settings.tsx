import { presetValue, SETTING_IDS, type SettingId, settingOf } from '../../world/settings/index.ts'
import { plural } from '../format.ts'
import { Act, CallForm, Input } from '../forms.tsx'
import { Card, Empty, PageHead, Ticked } from '../parts.tsx'
import { createMatcher } from '../rows.ts'
import { SearchForm } from '../split.tsx'
import type { RenderPage, View } from '../view.ts'

/** All settings, grouped by the first word of their id. */
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
            What the contract states, and what this sandbox assumes where it leaves something open.
            A change applies at once, in this world only, and not to what is scheduled already.
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
                {area} <span class="quiet">{String(ids.length)}</span>
              </a>
            ))}
          </nav>
          <div class="columns">
            {[...areas].map(([area, ids]) => (
              <Card title={area} id={`settings-${area}`}>
                <ul class="settings flush">
                  {ids.map((id) => (
                    <SettingRow view={view} id={id} />
                  ))}
                </ul>
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

const isOnlyChanged = ({ query }: View) => query.get('changed') === 'only'

/** All, without a search. */
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
  settings[id] !== presetValue(id, settings.preset)

const SettingRow = ({ view, id }: { view: View; id: SettingId }) => {
  const setting = settingOf(id)
  const value = setting.format(view.world.settings[id])
  const standard = setting.format(presetValue(id, view.world.settings.preset))
  const changed = isChanged(view, id)
  return (
    <li class={changed ? 'changed' : ''} id={`setting-${id}`}>
      <div>
        <p class="question">
          <Ticked text={setting.question} />
        </p>
        <p class="quiet">
          <Ticked text={setting.why} />
        </p>
        <p class="sub">
          <code>{id}</code>
          <span>{setting.ref}</span>
          <span>{SOURCES[setting.stated ? 1 : 0]}</span>
        </p>
      </div>
      <div class="stack">
        <Switch id={id} value={value} />
        {changed && (
          <Act
            method="PATCH"
            path="/_sandbox/settings"
            body={{ [id]: null }}
            done={`${id} is ${standard} again`}
          >
            {`Back to ${standard}`}
          </Act>
        )}
      </div>
    </li>
  )
}

interface SwitchProps {
  id: SettingId
  value: string | number
}

const Switch = ({ id, value }: SwitchProps) => {
  const { options, question } = settingOf(id)
  const isChoice = typeof options !== 'string'
  return (
    <CallForm
      method="PATCH"
      path="/_sandbox/settings"
      done={`${id} is changed`}
      instant={isChoice}
      flat
    >
      {isChoice ? (
        <select name={id} aria-label={question}>
          {options.map((option) => (
            <option selected={option === value}>{option}</option>
          ))}
        </select>
      ) : (
        <Input name={id} value={String(value)} label={question} title={options} required />
      )}
    </CallForm>
  )
}
