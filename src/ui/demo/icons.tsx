import { coinOf } from './format.ts'

const PATHS = {
  back: 'M15 5l-7 7 7 7',
  down: 'M6 9l6 6 6-6',
  buy: 'M12 4v15M5 12l7 7 7-7',
  sell: 'M12 20V5M5 12l7-7 7 7',
  check: 'M5 13l5 5 9-11',
  cross: 'M6 6l12 12M18 6L6 18',
  clock: 'M12 7v5l3 2',
  lock: 'M7 11V8a5 5 0 0 1 10 0v3',
  bank: 'M4 9l8-5 8 5zM6 9v8M10 9v8M14 9v8M18 9v8M4 20h16',
  link: 'M9 5H5v14h14v-4M13 4h7v7M20 4l-9 9',
  play: 'M8 5l11 7-11 7z',
  pause: 'M8 5v14M16 5v14',
  step: 'M6 5l9 7-9 7zM18 5v14',
  restart: 'M5 12a7 7 0 1 0 2-5M5 4v4h4',
  message: 'M4 6h16v11H9l-4 4v-4H4z',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c1-5 4-7 8-7s7 2 8 7',
  warn: 'M12 8v5M12 16v.5',
} as const
export type IconName = keyof typeof PATHS

const ROUND: readonly IconName[] = ['clock', 'warn']

export const Icon = ({ name, size = 20 }: { name: IconName; size?: number }) => (
  <svg class="icon" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true">
    {ROUND.includes(name) && <circle cx="12" cy="12" r="9" />}
    {name === 'lock' && <rect x="5" y="11" width="14" height="9" rx="2" />}
    <path d={PATHS[name]} />
  </svg>
)

/** A coin, without the mark of an issuer. */
export const Coin = ({ label, size = 40 }: { label: string; size?: number }) => (
  <svg
    class={`coin ${coinOf(label).toLowerCase()}`}
    viewBox="0 0 40 40"
    width={size}
    height={size}
    aria-hidden="true"
  >
    <circle class="disc" cx="20" cy="20" r="20" />
    <path class="ring" d="M13 8.5a14 14 0 0 0 0 23M27 8.5a14 14 0 0 1 0 23" />
    {coinOf(label) === 'CADC' ? (
      <path class="mark" d="M25 16.5a6 6 0 1 0 0 7" />
    ) : (
      <path
        class="mark"
        d="M24 16c-.8-1.9-2.3-2.600-4-2.600-2.3 0-4 1.200-4 3.200 0 4.600 8.200 2.200 8.200 6.800 0 2-1.9 3.200-4.200 3.200-1.9 0-3.600-.8-4.400-2.800M20 10.5v3M20 26.5v3"
      />
    )}
  </svg>
)

/** The wallet's default logo. */
export const Mark = ({ size }: { size: number }) => (
  <svg class="wallet-mark" viewBox="0 0 64 64" width={size} height={size} aria-hidden="true">
    <rect class="mark-back" width="64" height="64" rx="18" />
    <path class="mark-line" d="M20 40l10-18 6 10 4-6 6 14" />
  </svg>
)

/** The battery and the signal of the phone. */
export const PhoneSigns = () => (
  <svg class="signs" viewBox="0 0 62 14" width="62" height="14" aria-hidden="true">
    <path d="M2 12v-2M7 12V8M12 12V5M17 12V2" />
    <rect x="30" y="2" width="26" height="10" rx="3" />
    <path class="charge" d="M33.5 7h15" />
    <path d="M59 6v2" />
  </svg>
)
