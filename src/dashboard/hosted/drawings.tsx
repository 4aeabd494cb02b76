import type { Child } from 'hono/jsx'

/** The frame of a camera, with what it sees. */
export const Camera = ({ children }: { children: Child }) => (
  <div class="camera" aria-hidden="true">
    {children}
    <svg class="corners" viewBox="0 0 300 200" preserveAspectRatio="none" aria-hidden="true">
      <path d="M2 26V2h24M274 2h24v24M298 174v24h-24M26 198H2v-24" />
    </svg>
  </div>
)

/** An identity document: a portrait and lines of text. */
export const DocumentDrawing = ({ small }: { small?: boolean }) => (
  <svg class={small ? 'paper small' : 'paper'} viewBox="0 0 120 76" aria-hidden="true">
    <rect class="card-back" x="1" y="1" width="118" height="74" rx="7" />
    <rect class="card-band" x="1" y="9" width="118" height="9" />
    <rect class="card-photo" x="10" y="26" width="30" height="38" rx="3" />
    <circle class="card-ink" cx="25" cy="40" r="7" />
    <path class="card-ink" d="M13 64c1-10 6-14 12-14s11 4 12 14z" />
    <path class="card-line" d="M50 30h44M50 39h58M50 48h36M50 57h52" />
    <path class="card-line thin" d="M88 66c4-4 6 2 9-1s4 1 8-2" />
  </svg>
)

export const FaceDrawing = () => (
  <svg class="face" viewBox="0 0 120 120" aria-hidden="true">
    <path class="hair" d="M32 58c0-24 12-38 28-38s28 14 28 38v20H32z" />
    <path class="body" d="M18 120c2-22 18-32 42-32s40 10 42 32z" />
    <ellipse class="skin" cx="60" cy="60" rx="21" ry="26" />
    <path class="hair" d="M38 54c2-18 12-24 22-24s20 6 22 24c-10-3-16-8-20-14-4 8-13 13-24 14z" />
    <path class="lines" d="M51 60v1M69 60v1M54 73c4 3 8 3 12 0M60 62l-2 6h3" />
    <ellipse class="oval" cx="60" cy="60" rx="34" ry="44" />
  </svg>
)
