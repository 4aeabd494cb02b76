import { Document } from '../layout.tsx'
import type { View } from '../view.ts'

interface NoticeProps {
  view: View
  title: string
  text: string
  link?: { href: string; text: string }
}

/** A page with a single message. */
export const Notice = ({ view, title, text, link }: NoticeProps) => (
  <Document title={`${title} · ramp-sandbox`} view={view} class="hosted">
    <main class="sheet notice">
      <h1>{title}</h1>
      <p>{text}</p>
      {link && (
        <p>
          <a href={link.href}>{link.text}</a>
        </p>
      )}
    </main>
  </Document>
)

/** Asks for the control token once; an HttpOnly cookie keeps it. */
export const SignIn = ({ view }: { view: View }) => (
  <Document title="Control token · ramp-sandbox" view={view} script="hosted.js" class="hosted">
    <main class="sheet">
      <h1>This sandbox asks for its control token</h1>
      <p>It was started with --control-token. This browser will remember the token.</p>
      <form class="stack" data-sign-in={view.link('/_sandbox/sign-in')}>
        <label for="token">Control token</label>
        <input id="token" type="password" required autocomplete="current-password" />
        <button type="submit" class="button primary">
          Open the inspector
        </button>
        <p class="result" role="status" />
      </form>
    </main>
  </Document>
)
