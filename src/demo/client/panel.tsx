import { renderSVG } from 'uqr'
import { isLoopback, prefix, siteOrigin } from './api.ts'
import { sessionId } from './session.ts'
import { change } from './store.ts'
import { applyTheme, brand, theme, useBrand, type WalletBrand, writeBrand } from './theme.ts'
import { language } from './words.ts'

const LOGO_MAX = 100_000

function set(part: WalletBrand) {
  useBrand(part)
  applyTheme()
  const url = new URL(location.href)
  for (const old of ['name', 'accent', 'card', 'logo']) url.searchParams.delete(old)
  url.searchParams.set('brand', writeBrand())
  history.replaceState(null, '', url)
  change({})
}

const entryOf = (event: Event) => (event.target as HTMLInputElement).value

/** A picture as it is: its own shape, inside the address. */
function takeLogo(files: FileList | null | undefined) {
  const file = files?.[0]
  if (!file || file.size > LOGO_MAX || !file.type.startsWith('image/')) return
  const reader = new FileReader()
  reader.onload = () => set({ logo: String(reader.result) })
  reader.readAsDataURL(file)
}

function speak(event: Event) {
  const url = new URL(location.href)
  url.searchParams.set('lang', entryOf(event))
  location.assign(url)
}

/** The wallet alone, in the same brand and language. */
function walletUrl(session?: string): string {
  const url = new URL(`${siteOrigin}${prefix}/_sandbox/demo`)
  url.searchParams.set('view', 'wallet')
  if (session) url.searchParams.set('session', session)
  if (language !== 'en') url.searchParams.set('lang', language)
  if (Object.keys(brand).length > 0) url.searchParams.set('brand', writeBrand())
  return url.href
}

/** What one changes or shares before and while one shows the wallet. */
export const Panel = () => (
  <details class="panel">
    <summary class="button" data-step="panel">
      Brand and share
    </summary>
    <div class="panel-body">
      <section>
        <h2>Brand</h2>
        <label class="field">
          Name
          <input
            value={brand.name ?? ''}
            placeholder={theme.name}
            maxlength={40}
            onInput={(event: Event) => set({ name: entryOf(event) })}
          />
        </label>
        <Colour label="Colour" part="accent" />
        <Colour label="Card" part="card" />
        <label
          class="field drop"
          onDragOver={(event: Event) => event.preventDefault()}
          onDrop={(event: DragEvent) => {
            event.preventDefault()
            takeLogo(event.dataTransfer?.files)
          }}
        >
          Logo: drop a file of at most 100 kB, or choose one
          <input
            type="file"
            accept="image/*"
            onChange={(event: Event) => takeLogo((event.target as HTMLInputElement).files)}
          />
        </label>
        <label class="field">
          Language
          <select value={language} onChange={speak}>
            <option value="en" selected={language === 'en'}>
              English
            </option>
            <option value="fr" selected={language === 'fr'}>
              Français
            </option>
          </select>
        </label>
        <Copy label="Address of this page" text={location.href} />
      </section>
      <section>
        <h2>On a phone</h2>
        <InHand />
      </section>
      <section>
        <h2>In a page</h2>
        <Copy label="Snippet" text={snippet()} />
        <p class="quiet">
          Start the sandbox with <code>--allow-frame ORIGIN</code>, the origin of that page. It gets
          the messages <code>ready</code>, <code>verified</code> and <code>transaction</code>.
        </p>
      </section>
    </div>
  </details>
)

const Colour = ({ label, part }: { label: string; part: 'accent' | 'card' }) => {
  const value = `#${(brand[part] ?? '').replace('#', '')}`
  return (
    <label class="field">
      {label}
      <span class="colour">
        <input
          type="color"
          aria-label={`${label}: choose`}
          value={/^#[\da-f]{6}$/i.test(value) ? value : '#2f4bd0'}
          onInput={(event: Event) => set({ [part]: entryOf(event).slice(1) })}
        />
        <input
          data-colour={part}
          value={brand[part] ?? ''}
          placeholder="2f4bd0"
          maxlength={7}
          onInput={(event: Event) => set({ [part]: entryOf(event) })}
        />
      </span>
    </label>
  )
}

/** The same session, in the hand of whoever scans it. */
const InHand = () => {
  const url = walletUrl(sessionId())
  if (isLoopback) {
    return (
      <p>
        This sandbox listens on this machine alone. Start it with <code>--host 0.0.0.0</code> and
        open this page by the machine’s address, or with <code>--public-url</code>; in a private
        world the address is all that the phone needs.
      </p>
    )
  }
  return (
    <>
      <div
        class="qr"
        role="img"
        aria-label="QR code of the wallet"
        dangerouslySetInnerHTML={{ __html: renderSVG(url, { border: 2 }) }}
      />
      <Copy label="Address of the wallet" text={url} />
    </>
  )
}

const snippet = () =>
  `<iframe src="${walletUrl()}" title="Wallet" width="400" height="760" style="border:0"></iframe>`

const Copy = ({ label, text }: { label: string; text: string }) => (
  <label class="field">
    {label}
    <span class="colour">
      <input readonly value={text} />
      <button
        type="button"
        class="button small"
        onClick={() => void navigator.clipboard.writeText(text)}
      >
        Copy
      </button>
    </span>
  </label>
)
