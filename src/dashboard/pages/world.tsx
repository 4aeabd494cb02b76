import { COINS } from '../../world/coins.ts'
import { formatBytes, formatInstant, formatNumber } from '../format.ts'
import { Act, CallForm, Card, Fields, Id } from '../parts.tsx'
import type { RenderPage, View } from '../view.ts'

const WORLDS_SHOWN = 200

export const world: RenderPage = (view) => ({
  title: 'World',
  part: 'World',
  body: (
    <>
      <header class="page-head">
        <h1>{`World ${view.services.name}`}</h1>
      </header>
      <div class="grid">
        <Reset view={view} />
        <Snapshots view={view} />
        <Rates view={view} />
        <Worlds view={view} />
        <Integrators view={view} />
      </div>
    </>
  ),
})

const Reset = ({ view }: { view: View }) => (
  <Card title="Reset">
    <p class="hint">
      Back to how it was after the start: users, transactions, clock and journals. Snapshots stay.
    </p>
    <CallForm
      view={view}
      path="/_sandbox/reset"
      done="The world is as after the start"
      class="stack"
    >
      <label class="field">
        Fixture
        <input name="fixture" placeholder={view.world.fixture} autocomplete="off" />
      </label>
      <label class="field">
        Clock
        <input
          name="clock"
          placeholder="as at the start, or frozen, or an instant"
          autocomplete="off"
        />
      </label>
      <div>
        <button type="submit" class="button danger" data-sure="Delete everything?">
          Reset this world
        </button>
      </div>
    </CallForm>
  </Card>
)

const Snapshots = ({ view }: { view: View }) => {
  const snapshots = view.services.snapshots.list()
  return (
    <Card title="Snapshots">
      <CallForm view={view} path="/_sandbox/snapshots" done="The world is copied" label="Snapshot">
        <input
          name="name"
          required
          pattern="[A-Za-z0-9][A-Za-z0-9._\-]*"
          maxlength={64}
          placeholder="before-the-sale"
          aria-label="Name of the snapshot"
          autocomplete="off"
        />
        <button type="submit" class="button primary">
          Take snapshot
        </button>
      </CallForm>
      {snapshots.length === 0 ? (
        <p class="hint">None yet. A snapshot keeps the world as it is, to go back to it.</p>
      ) : (
        <table class="table">
          <thead>
            <tr>
              <th>Name</th>
              <th>World time</th>
              <th>
                <span class="quiet">Size</span>
              </th>
              <th />
            </tr>
          </thead>
          <tbody>
            {snapshots.map(({ name, at, state }) => (
              <tr key={name}>
                <td>{name}</td>
                <td>{formatInstant(at)}</td>
                <td>{formatBytes(state.length)}</td>
                <td>
                  <div class="actions">
                    <Act
                      view={view}
                      path={`/_sandbox/snapshots/${name}/restore`}
                      done={`The world is as in ${name}`}
                      sure="Go back?"
                    >
                      Restore
                    </Act>
                    <Act
                      view={view}
                      method="DELETE"
                      path={`/_sandbox/snapshots/${name}`}
                      done={`${name} is deleted`}
                      kind="danger"
                      sure="Delete it?"
                    >
                      Delete
                    </Act>
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}

const Rates = ({ view }: { view: View }) => (
  <Card title="Rates">
    <CallForm
      view={view}
      method="PUT"
      path="/_sandbox/rates"
      done="The rates are set"
      class="stack"
    >
      {COINS.map((coin) => (
        <label key={coin} class="field">
          {`CAD for 1 ${coin}`}
          <input
            name={`${coin}.cad`}
            type="number"
            step="any"
            min="0"
            required
            data-type="number"
            value={view.world.rates[coin].cad}
          />
        </label>
      ))}
      <div>
        <button type="submit" class="button">
          Set
        </button>
      </div>
    </CallForm>
    <p class="hint">Quotes keep the rate they locked.</p>
  </Card>
)

const Worlds = ({ view }: { view: View }) => {
  const worlds = view.control.worlds.list()
  return (
    <Card title="Worlds" aside={<span class="quiet">{formatNumber(worlds.length)}</span>}>
      <table class="table">
        <thead>
          <tr>
            <th>Name</th>
            <th>Transactions</th>
            <th />
          </tr>
        </thead>
        <tbody>
          {worlds.slice(0, WORLDS_SHOWN).map(({ name, transactions }) => (
            <tr key={name}>
              <td>
                <a href={name === 'default' ? '/_sandbox/' : `/w/${name}/_sandbox/`}>{name}</a>
              </td>
              <td>{formatNumber(transactions)}</td>
              <td>
                {name !== 'default' && name !== view.services.name && (
                  <Act
                    view={view}
                    method="DELETE"
                    path={`/_sandbox/worlds/${name}`}
                    kind="danger"
                    sure="End it?"
                    done={`The world ${name} ended`}
                  >
                    End
                  </Act>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <form class="row" data-world>
        <input
          name="world"
          required
          pattern="[A-Za-z0-9][A-Za-z0-9._\-]*"
          maxlength={64}
          placeholder="worker-1"
          aria-label="Name of a world"
          autocomplete="off"
        />
        <button type="submit" class="button">
          Open
        </button>
      </form>
      <p class="hint">
        A world is made on first use, at <code>/w/name</code> below the address.
      </p>
    </Card>
  )
}

const Integrators = ({ view }: { view: View }) => (
  <Card title="Integrators">
    <div class="stack">
      {view.world.integrators.map(({ name, apiKey, webhook, signingSecret }) => (
        <div key={name} class="stack">
          <h3>{name}</h3>
          <Fields
            rows={[
              ['API key', <Id key="key" id={apiKey} what={`the API key of ${name}`} />],
              ['Webhooks go to', webhook?.url ?? ''],
              [
                'Signing secret',
                signingSecret ? (
                  <Id id={signingSecret} what={`the signing secret of ${name}`} />
                ) : (
                  ''
                ),
              ],
            ]}
          />
        </div>
      ))}
    </div>
  </Card>
)
