import { html } from 'hono/html'

export interface Shell {
  title: string
  /** Names of the application's files in the build. */
  script: string
  stylesheets: readonly string[]
  /** Class of the body. */
  kind: string
  /** Facts for the application, as `data-…` attributes of the body. */
  data: Readonly<Record<string, string>>
  /** The URL of a file of the build. */
  asset(file: string): string
}

/** The HTML of a browser application. It is inert until its script runs, so that no click is lost. */
export function renderShell({ title, script, stylesheets, kind, data, asset }: Shell): string {
  const facts = Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`)
  const links = stylesheets.map((file) => html`<link rel="stylesheet" href="${asset(file)}" />`)
  return String(html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>${title}</title>
      <link rel="icon" href="${asset('icon.svg')}" type="image/svg+xml" />
      ${links}
      <script type="module" src="${asset(script)}"></script>
    </head>
    <body class="${kind}" inert${facts}>
      <div id="app"></div>
    </body>
  </html>`)
}
