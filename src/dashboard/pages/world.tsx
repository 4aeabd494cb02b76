import { listFixtures } from '../../fixture/load.ts'
import { COINS } from '../../world/state.ts'
import { formatInstant, formatNumber, plural } from '../format.ts'
import { Act, CallForm, Field, Input } from '../forms.tsx'
import { TaskList } from '../layout.tsx'
import { Card, PageHead, Table } from '../parts.tsx'
import type { RenderPage, View, WorldRow } from '../view.ts'

const WORLDS_SHOWN = 200
const NAME = { required: true, pattern: '[A-Za-z0-9][A-Za-z0-9._\\-]*', maxlength: 64 }

/** The clock and the state of this world. Cards that delete something come last. */
export const world: RenderPage = async (view) => ({
  title: 'Clock and world',
  body: (
    <>
      <PageHead title={`World ${view.services.name}`} />
      <div class="grid">
        {showClock(view)}
        {showSnapshots(view)}
        {showFixtures(view)}
        {showRates(view)}
        {showWorlds(view, await view.readWorlds())}
        {showReset(view)}
      </div>
    </>
  ),
})

const showClock = (view: View) => (
  <Card title="Clock" aside={<span class="quiet">{view.world.mode}</span>}>
    <div class="stack">
      <CallForm
        call="/_sandbox/clock/advance"
        done="Clock advanced"
        label="Advance to"
        submit="Advance"
      >
        <Input
          name="to"
          required
          placeholder="2026-12-31T12:00:00Z"
          label="Advance to an instant"
        />
      </CallForm>
      <CallForm call="/_sandbox/clock/freeze" done="Clock frozen" label="Freeze at" submit="Freeze">
        <Input name="at" placeholder="now, or 2026-12-31T12:00:00Z" label="Freeze at an instant" />
      </CallForm>
      <TaskList view={view} />
    </div>
  </Card>
)

function showSnapshots(view: View) {
  const rows = view.services.snapshots.list().map(({ name, at }) => [
    <>
      {name}
      <p class="quiet">{formatInstant(at)}</p>
    </>,
    <div class="actions">
      <Act
        call={`/_sandbox/snapshots/${name}/restore`}
        done={`Restored ${name}`}
        sure="Restore it?"
      >
        Restore
      </Act>
      <Act call={`DELETE /_sandbox/snapshots/${name}`} done={`${name} deleted`} sure="Delete it?">
        Delete
      </Act>
    </div>,
  ])
  return (
    <Card title="Snapshots">
      <CallForm
        call="/_sandbox/snapshots"
        done="Snapshot taken"
        label="Snapshot"
        submit="Take snapshot"
        kind="primary"
      >
        <Input name="name" {...NAME} placeholder="before-the-sale" label="Name of the snapshot" />
      </CallForm>
      {rows.length === 0 ? (
        <p class="hint">
          There are none. Take a snapshot to be able to return to this state later.
        </p>
      ) : (
        <Table label="Snapshots" head={['Name and world time', '']} rows={rows} />
      )}
    </Card>
  )
}

const showFixtures = (view: View) => (
  <Card title="Fixtures">
    <div class="stack">
      <label>
        Drop a fixture here, or choose a file. It replaces this world.
        <input
          type="file"
          class="drop"
          accept=".json,application/json"
          aria-label="File with a fixture"
        />
      </label>
      <p class="hint">Save the users and transactions of this world as a fixture.</p>
      <div class="actions">
        <a class="button" href={view.page('saved/fixture.json')} download="fixture.json">
          Save as fixture
        </a>
      </div>
    </div>
  </Card>
)

const showRates = ({ world: { rates } }: View) => (
  <Card title="Rates">
    <CallForm call="PUT /_sandbox/rates" done="Rates updated" class="stack" submit="Set">
      {COINS.map((coin) => (
        <Field
          label={`CAD for 1 ${coin}`}
          name={`${coin}.cad`}
          type="number"
          required
          value={rates[coin].cad}
        />
      ))}
    </CallForm>
    <p class="hint">Existing quotes keep their rate.</p>
  </Card>
)

function showWorlds(view: View, worlds: readonly WorldRow[]) {
  const rows = worlds.slice(0, WORLDS_SHOWN).map(({ name, transactions }) => [
    <a href={view.worldUrl(name)}>{name}</a>,
    formatNumber(transactions),
    name !== 'default' && name !== view.services.name && (
      <Act call={`DELETE /_sandbox/worlds/${name}`} sure="End it?" done={`World ${name} ended`}>
        End
      </Act>
    ),
  ])
  return (
    <Card title="Worlds" aside={<span class="quiet">{formatNumber(worlds.length)}</span>}>
      <form class="row" data-world>
        <Input name="world" {...NAME} placeholder="worker-1" label="Name of a world" />
        <button type="submit" class="button">
          Open
        </button>
      </form>
      <Table label="Worlds" head={['Name', 'Transactions', '']} rows={rows} />
      <p class="hint">
        A world is created the first time you use <code>/w/name</code> after the base URL.
      </p>
    </Card>
  )
}

function showReset(view: View) {
  const { world, services } = view
  const { journal } = services
  const webhooks = plural(journal.deliveries.count, 'webhook')
  const calls = plural(journal.calls.count, 'call')
  const fixtures = listFixtures().map(({ name, description }) => [name, `${name}: ${description}`])
  return (
    <Card title="Reset" class="danger-zone">
      <p class="hint">
        {`Returns users, transactions and the clock to the start, and forgets ${webhooks} and ${calls}. Snapshots are kept.`}
      </p>
      <CallForm
        call="/_sandbox/reset"
        done="World reset: forgot {forgotten.deliveries} webhooks and {forgotten.requests} calls"
        class="stack"
        submit="Reset this world"
        kind="danger"
        sure={`Forget ${webhooks} and ${calls}?`}
      >
        <Field
          name="fixture"
          label="Fixture"
          options={[['', `unchanged: ${world.fixture}`], ...fixtures] as [string, string][]}
        />
        <Field
          label="Clock"
          name="clock"
          placeholder="same as at the start"
          hint="running, frozen, an instant such as 2026-07-01T12:00:00Z, or running@ and an instant."
        />
        <Field
          type="checkbox"
          label="Keep webhook URLs and secrets"
          name="keep"
          value="webhooks"
          data-type="list"
          checked
        />
      </CallForm>
    </Card>
  )
}
