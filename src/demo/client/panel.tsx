import { renderSVG } from 'uqr'
import { copyText } from '../../dashboard/client/copy.ts'
import { prefix } from './api.ts'
import { Pick } from './controls.tsx'
import { session } from './session.ts'
import { change } from './store.ts'
import { applyTheme, BRAND_PARTS, brand, theme, type WalletBrand, writeBrand } from './theme.ts'
import { language, t, type WordKey } from './words.ts'

const LOGO_MAX = 100_000
const { origin: said = location.origin, hosts = '[]' } = document.body.dataset
/** URL where others reach the sandbox: from the page at 127.0.0.1, an address of this machine. */
const origin = toReachable(said)
const isLoopback = isLocal(origin)

function isLocal(url: string): boolean {
  return /^(localhost|127\.|\[::1\])/.test(URL.parse?.(url)?.hostname ?? '')
}

function toReachable(url: string): string {
  const address = JSON.parse(hosts).find((host: string) => /^\d+(\.\d+){3}$/.test(host))
  if (!isLocal(url) || address === undefined) return url
  const reachable = new URL(url)
  reachable.hostname = address
  return reachable.origin
}

function set(part: WalletBrand) {
  Object.assign(brand, part)
  applyTheme()
  const url = new URL(location.href)
  for (const old of BRAND_PARTS) url.searchParams.delete(old)
  url.searchParams.set('brand', writeBrand())
  history.replaceState(null, '', url)
  change({})
}

const entryOf = (event: Event) => (event.target as HTMLInputElement).value

/** Puts a picture into the address of the page. */
function takeLogo(files: FileList | null | undefined) {
  const file = files?.[0]
  if (!file || file.size > LOGO_MAX || !file.type.startsWith('image/')) return
  const reader = new FileReader()
  reader.onload = () => set({ logo: String(reader.result) })
  reader.readAsDataURL(file)
}

function speak(lang: string) {
  const url = new URL(location.href)
  url.searchParams.set('lang', lang)
  location.assign(url)
}

/** URL of the wallet alone, in the same brand and language. */
function walletUrl(id?: string): string {
  const url = new URL(`${origin}${prefix}/_sandbox/demo?view=wallet`)
  if (id) url.searchParams.set('session', id)
  if (language !== 'en') url.searchParams.set('lang', language)
  if (Object.keys(brand).length > 0) url.searchParams.set('brand', writeBrand())
  return url.href
}

export const Panel = () => (
  <details class="panel">
    <summary class="button" data-step="panel">
      {t('Brand and share')}
    </summary>
    <div class="panel-body">
      <BrandSection />
      <section>
        <h2>{t('On a phone')}</h2>
        <OnPhone />
      </section>
      <section>
        <h2>{t('In a page')}</h2>
        <Copy label="Snippet" text={snippet()} />
        <p class="quiet">
          <code>--allow-frame ORIGIN</code> {t('lets a page embed it.')}{' '}
          {t('That page gets messages:')} <code>ready</code>, <code>verified</code>,{' '}
          <code>transaction</code>.
        </p>
      </section>
    </div>
  </details>
)

const BrandSection = () => (
  <section>
    <h2>{t('Brand')}</h2>
    <label class="field">
      {t('Name')}
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
      {t('Logo: drop a file of at most 100 kB, or choose one')}
      <input
        type="file"
        accept="image/*"
        onChange={(event: Event) => takeLogo((event.target as HTMLInputElement).files)}
      />
    </label>
    <Pick
      label="Language"
      value={language}
      options={[
        ['en', 'English'],
        ['fr', 'Français'],
      ]}
      act={speak}
    />
    <Copy label="Address of this page" text={location.href} />
  </section>
)

const Colour = ({ label, part }: { label: WordKey; part: 'accent' | 'card' }) => {
  const value = `#${(brand[part] ?? '').replace('#', '')}`
  return (
    <label class="field">
      {t(label)}
      <span class="colour">
        <input
          type="color"
          aria-label={`${t(label)}: ${t('choose')}`}
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

const OnPhone = () => {
  if (isLoopback) {
    return (
      <p>
        {t('Only this machine can open this address.')} {t('To open it on a phone:')}{' '}
        <code>--host ADDRESS</code>, <code>--public-url URL</code>.
      </p>
    )
  }
  const url = walletUrl(session.id)
  return (
    <>
      <Qr url={url} />
      <button type="button" class="button" onClick={() => change({ isSharing: true })}>
        {t('Show it large (Q)')}
      </button>
      <Copy label="Address of the wallet" text={url} />
    </>
  )
}

const Qr = ({ url }: { url: string }) => (
  <div
    class="qr"
    role="img"
    aria-label={t('QR code of the wallet')}
    dangerouslySetInnerHTML={{ __html: renderSVG(url, { border: 2 }) }}
  />
)

/** The QR code alone, as large as the screen, also while somebody presents. */
export const QrSheet = () => {
  const close = () => change({ isSharing: false })
  const url = walletUrl(session.id)
  return (
    <dialog class="qr-sheet" open aria-label={t('On a phone')}>
      {isLoopback ? <OnPhone /> : <Qr url={url} />}
      {!isLoopback && <code>{new URL(url).host}</code>}
      <button type="button" class="button" onClick={close}>
        {t('Close')}
      </button>
    </dialog>
  )
}

const snippet = () =>
  `<iframe src="${walletUrl()}" title="Wallet" width="400" height="760" style="border:0"></iframe>`

const Copy = ({ label, text }: { label: WordKey; text: string }) => (
  <label class="field">
    {t(label)}
    <span class="colour">
      <input readonly value={text} />
      <button type="button" class="button small" onClick={() => void copyText(text)}>
        {t('Copy')}
      </button>
    </span>
  </label>
)
