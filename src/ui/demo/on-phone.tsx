import { renderSVG } from 'uqr'
import { copyText } from '../lib/copy.ts'
import { change, state } from './store.ts'
import { BRAND_PARTS, brand } from './theme.ts'

const { origin: said = location.origin, hosts = '[]' } = document.body.dataset
/** URL where others reach the sandbox: from the page at 127.0.0.1, an address of this machine. */
const origin = toReachable(said)

function isLoopback(url: string): boolean {
  return /^(localhost|127\.|\[::1\])/.test(URL.parse?.(url)?.hostname ?? '')
}

function toReachable(url: string): string {
  const address = JSON.parse(hosts).find((host: string) => /^\d+(\.\d+){3}$/.test(host))
  if (!isLoopback(url) || address === undefined) return url
  const reachable = new URL(url)
  reachable.hostname = address
  return reachable.origin
}

/** URL of the wallet alone, in this world and in the same brand. */
function walletUrl(): string {
  const url = new URL(`${origin}${state.world.prefix}/_sandbox/demo?view=wallet`)
  for (const part of BRAND_PARTS) {
    const value = brand[part]
    // A picture inside the address is too long for a QR code.
    if (value && !value.startsWith('data:')) url.searchParams.set(part, value)
  }
  return url.href
}

/** The QR code of the wallet, as large as the screen, also while somebody presents. */
export const QrSheet = () => (
  <dialog class="qr-sheet" open aria-label="On a phone">
    {isLoopback(origin) ? <HowToReach /> : <WalletLink url={walletUrl()} />}
    <button type="button" class="button" onClick={() => change({ isSharing: false })}>
      Close
    </button>
  </dialog>
)

const HowToReach = () => (
  <p>
    Only this machine can open this address. For a phone, start with <code>--host 0.0.0.0</code> and{' '}
    <code>--control-token TOKEN</code>.
  </p>
)

const WalletLink = ({ url }: { url: string }) => (
  <>
    <div
      class="qr"
      role="img"
      aria-label="QR code of the wallet"
      dangerouslySetInnerHTML={{ __html: renderSVG(url, { border: 2 }) }}
    />
    <label class="field">
      Address of the wallet
      <span class="copied">
        <input readonly value={url} />
        <button type="button" class="button" onClick={() => void copyText(url)}>
          Copy
        </button>
      </span>
    </label>
  </>
)
