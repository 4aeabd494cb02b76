import type { Wire } from '../../control-api/wire.ts'
import { FilterForm, Find } from '../lib/filters.tsx'
import { Act, CallForm, Field } from '../lib/form.tsx'
import { plural } from '../lib/format.ts'
import { NoMatch } from '../lib/list.tsx'
import { useRead } from '../lib/live.ts'
import { withQuery } from '../lib/page.ts'
import { PageHead, Ticked } from '../lib/parts.tsx'
import { query, setQuery } from '../lib/router.ts'

type SettingRecord = Wire['settings.get']['response']

/** Names of areas that differ from their prefix in setting ids. */
const AREAS: ReadonlyMap<string, string> = new Map([
  ['auth', 'Credentials'],
  ['cors', 'CORS'],
  ['kyc', 'Identity checks'],
  ['status', 'Status codes'],
  ['v1', 'API v1'],
])
/** Areas of many rows that few people change. */
const FOLDED = ['auth', 'status']

/** Settings: what the contract states or leaves open, and what this world does. */
export const Settings = () => {
  const words = query.value.get('q') ?? ''
  const isOnlyChanged = query.value.get('changed') === 'only'
  const changed = isOnlyChanged ? 'true' : ''
  const { data } = useRead<'settings.list'>(withQuery('/settings', { q: words, changed }))
  const shown = data?.items ?? []
  const areas = byArea(shown)
  const isFound = words !== '' || isOnlyChanged
  const count = `${plural(shown.length, 'setting')}, ${shown.filter(isChanged).length} changed`
  return (
    <>
      <PageHead title="Settings" count={data && count}>
        <p>
          What the contract states, and what this sandbox assumes where the contract leaves
          something open. A change takes effect at once, in this world only; what is already
          scheduled is unaffected.
        </p>
      </PageHead>
      <Search isOnlyChanged={isOnlyChanged} />
      <div class="contents-aside">
        <nav class="contents" aria-label="Contents">
          {[...areas].map(([area, settings]) => (
            <a key={area} href={`#settings-${area}`} onClick={() => unfold(area)}>
              {nameOfArea(area)} <span class="quiet">{settings.length}</span>
            </a>
          ))}
        </nav>
        <div class="columns">
          {[...areas].map(([area, settings]) => (
            <Area
              key={area}
              name={area}
              settings={settings}
              isOpen={isFound || !FOLDED.includes(area)}
            />
          ))}
          {data && shown.length === 0 && <NoMatch name="settings" title="No settings match." />}
        </div>
      </div>
    </>
  )
}

const Search = ({ isOnlyChanged }: { isOnlyChanged: boolean }) => (
  <FilterForm>
    <Find id="find-settings" label="Find in settings" />
    <label class="check">
      Changed only
      <input
        type="checkbox"
        checked={isOnlyChanged}
        onChange={({ currentTarget }) => setQuery({ changed: currentTarget.checked ? 'only' : '' })}
      />
    </label>
  </FilterForm>
)

interface AreaProps {
  name: string
  settings: readonly SettingRecord[]
  isOpen: boolean
}

const Area = ({ name, settings, isOpen }: AreaProps) => (
  <details class="custom" id={`settings-${name}`} open={isOpen}>
    <summary>
      <h2>{nameOfArea(name)}</h2> <span class="quiet">{settings.length}</span>
    </summary>
    <ul class="settings flush">
      {settings.map((setting) => (
        <Setting key={setting.id} of={setting} />
      ))}
    </ul>
  </details>
)

const nameOfArea = (area: string): string =>
  AREAS.get(area) ?? area.replace(/^./, (first) => first.toUpperCase())

const unfold = (area: string) =>
  document.getElementById(`settings-${area}`)?.setAttribute('open', '')

function byArea(settings: readonly SettingRecord[]): Map<string, SettingRecord[]> {
  const areas = new Map<string, SettingRecord[]>()
  for (const setting of settings) {
    const [area = ''] = setting.id.split('.')
    areas.set(area, [...(areas.get(area) ?? []), setting])
  }
  return areas
}

const isChanged = (setting: SettingRecord) => setting.value !== setting.default

const Setting = ({ of: setting }: { of: SettingRecord }) => {
  const { id, question, why, contractRef, stated, options, value } = setting
  const choices = typeof options === 'string' ? undefined : options
  return (
    <li class={isChanged(setting) ? 'changed' : ''} id={`setting-${id}`}>
      <div>
        <p class="question">
          <Ticked text={question} />
        </p>
        <p class="quiet">
          <Ticked text={why} />
        </p>
        <p class="sub">
          <code>{id}</code>
          <span>{contractRef}</span>
          <span>{stated ? 'stated by the contract' : 'our assumption'}</span>
        </p>
      </div>
      <div class="stack">
        <CallForm
          call="PATCH /settings"
          done={`${id} changed`}
          flat
          instant={choices !== undefined}
        >
          <Field
            isBare
            name={id}
            value={String(value)}
            label={question.replaceAll('`', '')}
            {...(choices ? { options: choices } : { required: true })}
          />
        </CallForm>
        {isChanged(setting) && (
          <Act
            call="PATCH /settings"
            body={{ [id]: null }}
            done={`${id} is back to ${setting.default}`}
          >
            {`Back to ${setting.default}`}
          </Act>
        )}
      </div>
    </li>
  )
}
