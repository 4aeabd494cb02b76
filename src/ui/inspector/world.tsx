import type { ComponentChildren } from 'preact'
import { act } from '../lib/act.ts'
import { messageOf } from '../lib/api.ts'
import { Act, CallForm, Field } from '../lib/form.tsx'
import { plural } from '../lib/format.ts'
import { useRead } from '../lib/live.ts'
import { controlPath, world } from '../lib/page.ts'
import { Card, PageHead, Table, Time } from '../lib/parts.tsx'
import { toast } from '../lib/toast.tsx'
import { info } from './info.ts'
import { TaskList } from './menus.tsx'

/** The clock and the state of this world. Cards that delete something come last. */
export const World = () => {
  return (
    <>
      <PageHead title={`World ${world.name}`} />
      <div class="grid">
        <Clock />
        <Snapshots />
        <Fixtures />
        <Rates />
        <Reset />
      </div>
    </>
  )
}

const Clock = () => (
  <Card title="Clock" aside={<span class="quiet">{info.value?.mode}</span>}>
    <div class="stack">
      <CallForm call="/clock/advance" done="Clock advanced" label="Advance to" submit="Advance">
        <Field
          isBare
          name="to"
          required
          placeholder="2026-12-31T12:00:00Z"
          label="Advance to an instant"
        />
      </CallForm>
      <CallForm call="/clock/freeze" done="Clock frozen" label="Freeze at" submit="Freeze">
        <Field
          isBare
          name="at"
          placeholder="now, or 2026-12-31T12:00:00Z"
          label="Freeze at an instant"
        />
      </CallForm>
      <TaskList />
    </div>
  </Card>
)

const Snapshots = () => {
  const { items = [] } = useRead<'snapshots.list'>('/snapshots').data ?? {}
  const rows = items.map(({ name, at }): ComponentChildren[] => [
    <>
      {name}
      <p class="quiet">
        <Time at={at} />
      </p>
    </>,
    <div class="actions" key={name}>
      <Act call={`/snapshots/${name}/restore`} done={`Restored ${name}`} sure="Restore it?">
        Restore
      </Act>
      <Act call={`DELETE /snapshots/${name}`} done={`${name} deleted`} sure="Delete it?">
        Delete
      </Act>
    </div>,
  ])
  return (
    <Card title="Snapshots">
      <CallForm
        call="/snapshots"
        done="Snapshot taken"
        label="Snapshot"
        submit="Take snapshot"
        kind="primary"
      >
        <Field
          isBare
          name="name"
          required
          placeholder="before-the-sale"
          label="Name of the snapshot"
        />
      </CallForm>
      {rows.length === 0 ? (
        <p class="hint">No snapshots yet. Take one to return to this state later.</p>
      ) : (
        <Table label="Snapshots" head={['Name and world time', '']} rows={rows} />
      )}
    </Card>
  )
}

const Fixtures = () => (
  <Card title="Fixtures">
    <div class="stack">
      <label>
        Drop a fixture here, or choose a file. It replaces this world.
        <input
          type="file"
          class="drop"
          accept=".json,application/json"
          aria-label="File with a fixture"
          onChange={({ currentTarget }) => void loadFixture(currentTarget.files?.[0])}
        />
      </label>
      <p class="hint">Save the users and transactions of this world as a fixture.</p>
      <div class="actions">
        <a class="button" href={controlPath('/ui/saved/fixture.json')} download="fixture.json">
          Save as fixture
        </a>
      </div>
    </div>
  </Card>
)

async function loadFixture(file: File | undefined): Promise<void> {
  if (!file) return
  const curl = `npx --no -- ramp-sandbox reset --fixture ${file.name}`
  try {
    const fixture: unknown = JSON.parse(await file.text())
    await act({ call: '/reset', done: `World loaded from ${file.name}` }, { fixture })
  } catch (error) {
    toast({ text: `${file.name}: ${messageOf(error)}`, ok: false, curl })
  }
}

const Rates = () => {
  const { data: rates } = useRead<'rates.get'>('/rates')
  return (
    <Card title="Rates">
      {rates && (
        <CallForm call="PUT /rates" done="Rates updated" class="stack" submit="Set">
          {Object.entries(rates).map(([coin, { cad }]) => (
            <Field
              key={coin}
              label={`CAD for 1 ${coin}`}
              name={`${coin}.cad`}
              type="number"
              required
              value={String(cad)}
            />
          ))}
        </CallForm>
      )}
      <p class="hint">Existing quotes keep their rate.</p>
    </Card>
  )
}

const Reset = () => {
  const { counts, fixture = '', fixtures = [] } = info.value ?? {}
  const webhooks = plural(counts?.deliveries ?? 0, 'webhook')
  const calls = plural(counts?.requests ?? 0, 'call')
  const options = fixtures.map(
    ({ name, description }) => [name, `${name}: ${description}`] as const,
  )
  return (
    <Card title="Reset" class="danger-zone">
      <p class="hint">
        {`Returns users, transactions and the clock to the start, and deletes ${webhooks} and ${calls}. Snapshots are kept.`}
      </p>
      <CallForm
        call="/reset"
        done={`World reset: deleted ${webhooks} and ${calls}`}
        class="stack"
        submit="Reset this world"
        kind="danger"
        sure={`Delete ${webhooks} and ${calls}?`}
      >
        <Field
          name="fixture"
          label="Fixture"
          options={[['', `unchanged: ${fixture}`], ...options]}
        />
        <Field
          label="Clock"
          name="clock"
          placeholder="same as at the start"
          hint="running, frozen, an instant such as 2026-07-01T12:00:00Z, or running@ followed by an instant."
        />
        <Field
          type="checkbox"
          label="Keep webhook URLs and secrets"
          name="keep"
          value="webhooks"
          data-list
          defaultChecked
        />
      </CallForm>
    </Card>
  )
}
