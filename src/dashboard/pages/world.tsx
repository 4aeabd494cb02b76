import { listFixtures } from '../../fixture/load.ts'
import { COINS } from '../../world/coins.ts'
import { TaskList } from '../clock-bar.tsx'
import { formatBytes, formatInstant, formatNumber } from '../format.ts'
import { Act, CallForm, Check, Field, Input, NumberField, SelectField, Submit } from '../forms.tsx'
import { Card, PageHead, Table } from '../parts.tsx'
import { SAVED_FIXTURE, SAVED_SCENARIO } from '../saved.ts'
import type { RenderPage, View } from '../view.ts'

const WORLDS_SHOWN = 200

/** The clock and the state of this world; what deletes something comes last. */
export const world: RenderPage = (view) => ({
  title: 'Clock and world',
  body: (
    <>
      <PageHead title={`World ${view.services.name}`} />
      <div class="grid">
        <Clock view={view} />
        <Snapshots view={view} />
        <Fixtures view={view} />
        <Rates view={view} />
        <Worlds view={view} />
        <Reset view={view} />
      </div>
    </>
  ),
})

const Clock = ({ view }: { view: View }) => (
  <Card title="Clock" aside={<span class="quiet">{view.world.mode}</span>}>
    <div class="stack">
      <CallForm path="/_sandbox/clock/advance" done="Clock advanced" label="Advance to">
        <Input
          name="to"
          required
          placeholder="2026-12-31T12:00:00Z"
          label="Advance to an instant"
        />
        <Submit text="Advance" />
      </CallForm>
      <CallForm path="/_sandbox/clock/freeze" done="Clock frozen" label="Freeze at">
        <Input name="at" placeholder="now, or 2026-12-31T12:00:00Z" label="Freeze at an instant" />
        <Submit text="Freeze" />
      </CallForm>
      <TaskList view={view} />
    </div>
  </Card>
)

const Snapshots = ({ view }: { view: View }) => {
  const snapshots = view.services.snapshots.list()
  return (
    <Card title="Snapshots">
      <CallForm path="/_sandbox/snapshots" done="Snapshot taken" label="Snapshot">
        <NameInput name="name" placeholder="before-the-sale" label="Name of the snapshot" />
        <Submit text="Take snapshot" kind="primary" />
      </CallForm>
      {snapshots.length === 0 ? (
        <p class="hint">None yet. A snapshot keeps the world as it is, to go back to it.</p>
      ) : (
        <Table
          head={['Name', 'World time', 'Size', '']}
          rows={snapshots.map(({ name, at, state }) => [
            name,
            formatInstant(at),
            formatBytes(state.length),
            <div class="actions">
              <Act
                path={`/_sandbox/snapshots/${name}/restore`}
                done={`Restored ${name}`}
                sure="Go back?"
              >
                Restore
              </Act>
              <Act
                method="DELETE"
                path={`/_sandbox/snapshots/${name}`}
                done={`${name} is deleted`}
                kind="danger"
                sure="Delete it?"
              >
                Delete
              </Act>
            </div>,
          ])}
        />
      )}
    </Card>
  )
}

const NameInput = (props: { name: string; placeholder: string; label: string }) => (
  <Input required pattern="[A-Za-z0-9][A-Za-z0-9._\-]*" maxlength={64} {...props} />
)

/** Client code reads the file and resets the world to it. */
const Fixtures = ({ view }: { view: View }) => (
  <Card title="Fixtures">
    <div class="stack">
      <label class="drop" data-drop>
        <input type="file" accept=".json,application/json" aria-label="File with a fixture" />
        <span>Drop a fixture here, or choose a file. It replaces this world.</span>
      </label>
      <p class="hint">
        Save the calls so far as a scenario to play again, with stand-ins for keys and personal
        data; or the users and transactions of this world as a fixture, as they are.
      </p>
      <div class="actions">
        <a class="button" href={view.page(SAVED_SCENARIO)} download="scenario.mjs">
          Save as scenario
        </a>
        <a class="button" href={view.page(SAVED_FIXTURE)} download="fixture.json">
          Save as fixture
        </a>
      </div>
    </div>
  </Card>
)

const Rates = ({ view }: { view: View }) => (
  <Card title="Rates">
    <CallForm method="PUT" path="/_sandbox/rates" done="The rates are set" class="stack">
      {COINS.map((coin) => (
        <NumberField
          label={`CAD for 1 ${coin}`}
          name={`${coin}.cad`}
          required
          value={view.world.rates[coin].cad}
        />
      ))}
      <div>
        <Submit text="Set" />
      </div>
    </CallForm>
    <p class="hint">Quotes keep the rate they locked.</p>
  </Card>
)

const Worlds = ({ view }: { view: View }) => {
  const worlds = view.control.worlds.list()
  return (
    <Card title="Worlds" aside={<span class="quiet">{formatNumber(worlds.length)}</span>}>
      <form class="row" data-world>
        <NameInput name="world" placeholder="worker-1" label="Name of a world" />
        <Submit text="Open" />
      </form>
      <Table
        head={['Name', 'Transactions', '']}
        rows={worlds.slice(0, WORLDS_SHOWN).map(({ name, transactions }) => [
          <a href={view.worldUrl(name)}>{name}</a>,
          formatNumber(transactions),
          name !== 'default' && name !== view.services.name && (
            <Act
              method="DELETE"
              path={`/_sandbox/worlds/${name}`}
              kind="danger"
              sure="End it?"
              done={`The world ${name} ended`}
            >
              End
            </Act>
          ),
        ])}
      />
      <p class="hint">
        A world is made on first use, at <code>/w/name</code> below the address.
      </p>
    </Card>
  )
}

const Reset = ({ view }: { view: View }) => (
  <Card title="Reset" class="danger-zone">
    <p class="hint">
      Resets users, transactions, the clock and all logs to how they were at the start. Snapshots
      stay.
    </p>
    <CallForm path="/_sandbox/reset" done="World reset" class="stack">
      <SelectField name="fixture" label="Fixture" options={fixtureOptions(view)} />
      <Field
        label="Clock"
        name="clock"
        placeholder="as at the start"
        hint="running, frozen, an instant such as 2026-07-01T12:00:00Z, or running@ and an instant."
      />
      <Check
        label="Keep webhook URLs and secrets"
        name="keep"
        value="webhooks"
        data-type="flag-list"
        checked
      />
      <div>
        <Submit text="Reset this world" kind="danger" sure="Delete everything?" />
      </div>
    </CallForm>
  </Card>
)

const fixtureOptions = ({ world }: View): [string, string][] => [
  ['', `as now: ${world.fixture}`],
  ...listFixtures().map(({ name, description }): [string, string] => [
    name,
    `${name}: ${description}`,
  ]),
]
