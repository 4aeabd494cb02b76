import { html } from 'hono/html'
import { type Html, renderDocument } from './document.ts'
import type { Page } from './request.ts'

/** Asks for the control token once; an HttpOnly cookie keeps it. Then the page at `from` opens. */
export const renderSignIn = (page: Page, from: string): Html =>
  renderDocument(page, {
    title: 'Control token',
    kind: 'hosted',
    body: html`<main class="sheet">
      <h1>Enter the control token</h1>
      <p>This sandbox has a control token. Your browser will remember it.</p>
      <form class="stack" method="post" action="${page.link('/_sandbox/forms/sign-in')}">
        <label for="token">Control token</label>
        <input id="token" name="token" type="password" required autocomplete="current-password" />
        <input type="hidden" name="from" value="${from}" />
        <button type="submit" class="button primary">Open the inspector</button>
        ${page.problem && html`<p class="result bad" role="alert">${page.problem}</p>`}
      </form>
    </main>`,
  })
